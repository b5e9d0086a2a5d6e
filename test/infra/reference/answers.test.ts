/** Every answer that the document shows is one that the service gives. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Answer, Content } from "../../../infra/reference/answers.ts";
import { type Burgee, openBurgee, type Request, type Response } from "../../support/burgee.ts";
import { document, faultsAt } from "../../support/document.ts";
import type { Fate } from "../../support/wire.ts";

const { put } = document.paths["/api/admin/features/{featureName}/tags"];
const { patch } = document.paths["/api/admin/projects/{projectId}/features/{featureName}/variants"];
const demo = JSON.parse(readFileSync("infra/demo.json", "utf8"));

/** A request to the demo's feature, by the name of the example that its answer is. */
type Cases = Record<string, (burgee: Burgee) => Promise<Response>>;

const tooLarge = { body: `"${"x".repeat(256 * 1024)}"` };
const textual = { headers: { "content-type": "text/plain" } };
const throttled: Fate = { error: "ThrottlingException" };
const denied: Fate = { error: "AccessDeniedException" };
const noContent: Content = { schema: { $ref: "" }, examples: {} };

const tagCases: Cases = {
  "201 change": tags(put.requestBody.content["application/json"].examples.change?.value),
  "201 list": tags(put.requestBody.content["application/json"].examples.list?.value),
  "400 notAsTheSchemaHasIt": tags({ addedTags: [{ type: "simple", value: "b" }] }),
  "400 notJson": tags(undefined, { body: "{" }),
  "401 noValidKey": tags({}, { key: "another-key-than-the-demo's" }),
  "403 noPermission": async (burgee) =>
    tags({}, { key: await burgee.keyWith({ permission: "UPDATE_FEATURE_VARIANTS" }) })(burgee),
  "404 noSuchFeature": (burgee) => burgee.putTags("nothing", { addedTags: [], removedTags: [] }),
  "405 wrongMethod": tags(undefined, { method: "GET" }),
  "413 tooLarge": tags(undefined, tooLarge),
  "415 wrongContentType": tags({}, textual),
  "500 internalError": broken(denied, tags({ addedTags: [], removedTags: [] })),
  "503 databaseOutOfReach": broken(throttled, tags({ addedTags: [], removedTags: [] }, { timeoutMs: 1500 })),
};

const change = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
const requests = patch.requestBody.content["application/json-patch+json"]?.examples ?? {};
const variantCases: Cases = {
  "200 replace": variants(requests.replace?.value),
  "200 add": variants(requests.add?.value, { headers: { "content-type": "application/json-patch+json" } }),
  "200 nothing": variants(requests.nothing?.value),
  "400 stoppedHalfway": variants([{ op: "replace", path: "/1/stickiness", value: "userId" }]),
  "400 notAsTheSchemaHasIt": variants([
    { op: "test", path: "/0/weight", value: 500 },
    { op: "move", path: "/0/stickiness" },
  ]),
  "401 noValidKey": variants(change, { key: null }),
  "403 noPermissionInAnEnvironment": async (burgee) =>
    variants(change, {
      key: await burgee.keyWith(
        { permission: "UPDATE_FEATURE_VARIANTS" },
        { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
      ),
    })(burgee),
  "404 noSuchFeature": (burgee) => burgee.patch("nothing", change),
  "405 wrongMethod": variants(undefined, { method: "GET" }),
  "409 changedByOthers": broken(
    { error: "ConditionalCheckFailedException" },
    variants(change, { timeoutMs: 1500 }),
    "UpdateItem",
  ),
  "413 tooLarge": variants(undefined, tooLarge),
  "415 wrongContentType": variants(change, textual),
  "500 internalError": broken(denied, variants(change)),
  "503 databaseOutOfReach": broken(throttled, variants(change, { timeoutMs: 1500 })),
};

describe.each([
  { operation: put, cases: tagCases },
  { operation: patch, cases: variantCases },
])("$operation.operationId", ({ operation, cases }) => {
  const responses = Object.entries<Answer>(operation.responses);

  it("is asked for each example of an answer", () => {
    const examples = responses.flatMap(([status, { content }]) =>
      Object.keys(content["application/json"].examples).map((name) => `${status} ${name}`),
    );
    expect(Object.keys(cases)).toEqual(examples);
  });

  it.each(Object.entries(cases))("answers %s as the document shows it", async (example, ask) => {
    const [status = "", name = ""] = example.split(" ");
    const documented: Answer | undefined = Object.fromEntries(responses)[status];
    const { schema, examples } = documented?.content["application/json"] ?? noContent;

    const answer = await ask(await openBurgee(demo));

    expect(answer.status).toBe(Number(status));
    expect(faultsAt(schema.$ref, answer.json)).toEqual([]);
    const { id, ...shown } = Object(examples[name]?.value);
    expect(answer.json).toEqual({ ...shown, ...(id && { id: expect.any(String) }) });
    const headers = Object.entries(documented?.headers ?? {}).map(([name, { example }]) => [
      name,
      String(example),
    ]);
    expect(answer.headers).toMatchObject(Object.fromEntries(headers));
  });
});

function tags(json: unknown, options: Partial<Request> = {}): (burgee: Burgee) => Promise<Response> {
  return (burgee) => burgee.putTags("checkout", json, options);
}

function variants(json: unknown, options: Partial<Request> = {}): (burgee: Burgee) => Promise<Response> {
  return (burgee) => burgee.patch("checkout", json, options);
}

/** The same, with a database that answers every call, or every call of one kind, in this way. */
function broken(fate: Fate, ask: (burgee: Burgee) => Promise<Response>, kind?: string) {
  return (burgee: Burgee) => {
    burgee.wire.decide(({ operation }) => ((kind ?? operation) === operation ? fate : "pass"));
    return ask(burgee);
  };
}
