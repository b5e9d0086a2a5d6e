/** Calls the API's handlers in this process for an operator, who has access to the table and so may do everything. */
import { routes as reads } from "../../../../functions/read.ts";
import { routes as tags } from "../../../../functions/tags.ts";
import { routes as features } from "../../../../functions/variants.ts";
import { createKeyCache } from "../../../../lib/access/authenticate.ts";
import { createDocumentCache } from "../../../../lib/documents/sdk-document.ts";
import { handle } from "../../../../lib/http/handler.ts";
import { respondWithError } from "../../../../lib/http/response.ts";
import type { Route } from "../../../../lib/http/route.ts";
import type { Invocation } from "../../../../lib/service.ts";
import { createFeatureStore } from "../../../../lib/store/feature-store.ts";
import { createReadStore } from "../../../../lib/store/read-store.ts";
import { createTagStore } from "../../../../lib/store/tag-store.ts";
import { toEvent } from "../../../local/event.ts";
import { declaredRoutes, findDeclaredRoute } from "../../../local/routes.ts";
import { systemClock } from "../../../store/open-table.ts";
import type { Api } from "../../api/api.ts";
import type { OperatorSession } from "../table/with-table.ts";

export function openOperatorApi(session: OperatorSession): Api {
  const service = serviceOf(session);
  const routes: readonly Route<OperatorStore>[] = Object.values({ ...reads, ...tags, ...features });
  return {
    async send({ method, path: url, headers = {}, body }) {
      const declared = findDeclaredRoute(declaredRoutes, method, url);
      if (!declared) throw new Error(`serverless.yml declares no route for ${method} ${url}`);
      const sent = { ...headers, authorization: "operator", "content-type": "application/json" };
      const rawHeaders = Object.entries(sent).flat();
      const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
      const event = toEvent({ method, url, rawHeaders, body: bytes }, declared);
      const { response, error, errorId, options } = await handle(event, service, routes);
      const {
        statusCode: status = 0,
        headers: responded = {},
        body: text,
      } = response ?? respondWithError(error, errorId, options);
      return {
        status,
        headers: Object.fromEntries(Object.entries(responded).map(([name, value]) => [name, String(value)])),
        body: text === undefined ? undefined : JSON.parse(text),
        ...(error && { error }),
      };
    },
  };
}

type OperatorStore = ReturnType<typeof serviceOf>["store"];

/** Makes the service of a command, which takes every key for the operator's. */
function serviceOf(session: OperatorSession) {
  const documents = createDocumentCache(0);
  const store = {
    ...createTagStore(session),
    ...createReadStore(session),
    ...createFeatureStore(session),
    documents,
  };
  return {
    store,
    clock: systemClock,
    keys: {
      readApiKey: async () => ({ name: session.operator, permissions: [{ permission: "ADMIN" }] }),
      cache: createKeyCache(0),
    },
    usage: session.usage,
  } satisfies Invocation<typeof store>;
}
