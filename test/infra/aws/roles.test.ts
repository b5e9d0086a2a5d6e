/** What a function's role permits it to do to the table is what it does, no more and no less. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { readRoutes } from "../../../infra/local/routes.ts";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { document } from "../../support/document.ts";
import { replace } from "../../support/patching.ts";

const roles = parse(readFileSync("infra/aws/roles.yml", "utf8")).template.Resources;
// Without a cache every request looks its key up.
const burgee = useBurgee(JSON.parse(readFileSync("infra/demo.json", "utf8")), { KEY_CACHE_SECONDS: "0" });

beforeAll(async () => {
  // Some changes are items, and the next patch makes items of others.
  for (const stickiness of ["a", "b", "c", "d", "e", "f"]) {
    await burgee.patch("checkout", [replace("/0/stickiness", stickiness)]);
  }
  // As an engine that does not: so the function has to read it.
  burgee.wire.oldItems = "withheld";
});

it.each([
  { name: "tags", role: roles.TagsRole, nothing: { addedTags: [], removedTags: [] } },
  { name: "variants", role: roles.VariantsRole, nothing: [] },
  { name: "read", role: roles.ReadRole, nothing: undefined },
])("the function for $name makes exactly the calls of its role", async ({ name, role, nothing }) => {
  const made = new Set<string>();
  for (const request of requestsTo(name, nothing)) {
    for (const operation of await callsOf(request)) made.add(`dynamodb:${operation}`);
  }

  const statements: { Action: string[] }[] = role.Properties.Policies[0].PolicyDocument.Statement;
  const permitted = statements.flatMap(({ Action }) => Action).filter((one) => one.startsWith("dynamodb:"));
  expect([...made].sort()).toEqual(permitted);
});

/** Every operation of the API reference with each body that it shows, and with a body that asks for nothing. */
function requestsTo(name: string, nothing: unknown): Request[] {
  const declared = readRoutes().filter((route) => route.function.name === name);
  return declared.flatMap(({ path: template }) =>
    Object.entries(document.paths[template] ?? {}).flatMap(([method, { requestBody }]) => {
      const contents = Object.values(requestBody?.content ?? {});
      const shown = contents.flatMap(({ examples = {} }) => Object.values(examples));
      const bodies = requestBody ? [...shown.map(({ value }) => value), nothing] : [undefined];
      const path = template.replace("{projectId}", "default").replace("{environment}", "development");
      return bodies.flatMap((json) =>
        ["checkout", "not-there"].map((feature) => ({
          method: method.toUpperCase(),
          path: path.replace("{featureName}", feature),
          ...(json !== undefined && { json }),
        })),
      );
    }),
  );
}

/** Sent twice: as things are, and while others change what it is about to write. */
async function callsOf(request: Request): Promise<string[]> {
  burgee.wire.reset();
  await burgee.send(request);
  const refused = new Set<string>();
  burgee.wire.decide(({ input }) => {
    const key = JSON.stringify(input.Key);
    if (!("ConditionExpression" in input) || refused.has(key)) return "pass";
    refused.add(key);
    return { error: "ConditionalCheckFailedException" };
  });
  await burgee.send(request);
  return burgee.wire.calls.map(({ operation }) => operation);
}
