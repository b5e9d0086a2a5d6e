import { expect, it } from "vitest";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { route } from "../../../lib/http/route.ts";
import type { Invocation } from "../../../lib/service.ts";
import { toContext, toEvent } from "../../support/event.ts";
import { times } from "../../support/patching.ts";

const permits = [{ permission: "ADMIN" as const }];
const usage = { calls: 0, attempts: 0, conflicts: 0, ms: 0, throttling: new Set<string>() };

it("leaves out the details of an error that would be larger than Lambda accepts", async () => {
  const details = times(3000, () => ({ message: "m".repeat(2100) }));
  const path = "/api/admin/features/{featureName}/tags";
  const routes = [
    route({
      ...{ method: "GET", path, permission: "any" },
      async run() {
        throw new NoAccessError("refused", { details });
      },
    }),
  ];
  const invocation = { usage, authenticate: async () => ({ name: "ci", permits }) };
  const handler = createHandler(() => invocation as unknown as Invocation<unknown>, routes);
  const request = { method: "GET", path: "/api/admin/features/checkout/tags" };

  const { statusCode, body = "" } = await handler(toEvent(request), toContext());

  expect([statusCode, JSON.parse(body)]).toEqual([
    403,
    { id: expect.any(String), name: "NoAccessError", message: "refused" },
  ]);
});
