/** What a function's role permits it to do to the table is what it does, no more and no less. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { declaredRoutes } from "../../../infra/local/routes.ts";
import { readTable } from "../../../infra/store/read-table.ts";
import { functionOf, type Request, useBurgee } from "../../support/burgee.ts";
import { document } from "../../support/document.ts";
import { replace } from "../../support/patching.ts";
import type { Call } from "../../support/wire.ts";

const roles = parse(readFileSync("infra/aws/roles.yml", "utf8")).Resources;
// Without a cache every request looks its key up.
const burgee = useBurgee(JSON.parse(readFileSync("infra/demo.json", "utf8")), { KEY_CACHE_SECONDS: "0" });

beforeAll(async () => {
  // Some changes are items, and the next patch makes items of others.
  for (const stickiness of ["a", "b", "c", "d", "e", "f"]) {
    await burgee.patchVariants("checkout", [replace("/0/stickiness", stickiness)]);
  }
  // As an engine that does not: so the function has to read it.
  burgee.wire.oldItems = "withheld";
});

const functions = [
  { name: "tags", role: roles.TagsRole, nothing: { addedTags: [], removedTags: [] } },
  { name: "variants", role: roles.VariantsRole, nothing: [] },
  { name: "read", role: roles.ReadRole, nothing: undefined },
] as const;

it.each(functions)(
  "the function for $name makes exactly the calls of its role",
  async ({ name, role, nothing }) => {
    const made = new Set<string>();
    for (const request of requestsTo(name, nothing)) {
      for (const call of await callsOf(request)) made.add(call);
    }

    expect([...made].sort()).toEqual(permittedTo(role));
  },
);

interface Grant {
  Action: string | string[];
  Condition?: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": string | string[] } };
}

/** Each call to the table, with each kind of items: "dynamodb:GetItem KEY#". */
function permittedTo({ Properties }: typeof roles.TagsRole): string[] {
  const grants: Grant[] = Properties.Policies[0].PolicyDocument.Statement;
  const calls = grants.flatMap(({ Action, Condition }) => {
    const keys = [Condition?.["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] ?? []].flat();
    return [Action].flat().flatMap((action) => keys.map((key) => `${action} ${key.replace("*", "")}`));
  });
  return calls.sort();
}

/** The kinds of items that a call names, by the first part of the partition key of the table or of its index. */
function kindsOf({ operation, input }: Call): string[] {
  const kinds = JSON.stringify(input).matchAll(/":?(?:pk|list)":\{"S":"((?:DELETED#feature|[A-Z]+)#?)/g);
  return [...kinds].map(([, kind]) => `dynamodb:${operation} ${kind}`);
}

describe.each(functions)("the test of a deployment, at the function for $name", ({ name, role }) => {
  const permitted = permittedTo(role).map((call) => call.split(" ")[0] ?? "");

  it("tries each call of the role, and changes nothing", async () => {
    const before = await readTable(burgee.session);
    burgee.wire.reset();

    const answer = await burgee.deliver(name, { smokeTest: true });

    expect(answer).toMatchObject({ status: 200, json: { failed: [] } });
    // Every request reads a key, so the calls through the gateway show that.
    const others = permittedTo(role).filter((call) => !call.endsWith(" KEY#"));
    expect(burgee.wire.calls.flatMap(kindsOf).sort()).toEqual(others);
    expect(await readTable(burgee.session)).toEqual(before);
  });

  it.each([...new Set(permitted)])("reports that %s is denied", async (action) => {
    const denied = action.slice("dynamodb:".length);
    burgee.wire.decide(({ operation }) =>
      operation === denied ? { error: "AccessDeniedException", message: "no policy" } : "pass",
    );

    const { json } = await burgee.deliver(name, { smokeTest: true });

    expect(json).toEqual({ failed: [`${denied}: AccessDeniedException: no policy`] });
  });
});

const guard = "errors";

/** Every operation of the API reference with each body that it shows, and with a body that asks for nothing. */
function requestsTo(name: string, nothing: unknown): Request[] {
  const declared = declaredRoutes.filter((route) => route.function.name === name);
  const requests = declared.flatMap(({ path: template }) =>
    Object.entries(document.paths[template] ?? {}).flatMap(([method, { requestBody }]) => {
      if (functionOf({ method: method.toUpperCase(), path: template }) !== name) return [];
      const contents = Object.values(requestBody?.content ?? {});
      const shown = contents.flatMap(({ examples = {} }) => Object.values(examples));
      const bodies = requestBody ? [...shown.map(({ value }) => value), nothing] : [undefined];
      const path = template
        .replace("{projectId}", "default")
        .replace("{environment}", "development")
        .replace("{guard}", guard);
      return bodies.flatMap((json) =>
        ["checkout", "not-there"].map((feature) => ({
          method: method.toUpperCase(),
          path: path.replace("{featureName}", feature),
          ...(method === "patch" && { headers: { "burgee-guard": guard } }),
          ...(json !== undefined && { json }),
        })),
      );
    }),
  );
  // The others need the feature with its changes.
  const isLast = ({ method, path }: Request) => method === "DELETE" || path.endsWith("/restore");
  return [...requests.filter((request) => !isLast(request)), ...requests.filter(isLast)];
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
  return burgee.wire.calls.flatMap(kindsOf);
}
