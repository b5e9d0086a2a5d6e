/** Events that API Gateway would not send. */
import { beforeAll, expect, it } from "vitest";
import { invalid, naming, notFound, patchedTo, tagged } from "../../support/answers.ts";
import { adminKey, eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();
let feature: string;
beforeAll(async () => {
  feature = await addFeature(burgee);
});

const update = { addedTags: [tag("team")], removedTags: [] };
const putTags = () => eventOf({ method: "PUT", path: tagsPath(feature), json: update });

it.each<[names: string, members: unknown]>([
  ["it", null],
  ["it", "event"],
  ["/version", { version: "1.0" }],
  ["/routeKey", { routeKey: undefined }],
  ["/rawPath", { rawPath: 12 }],
  ["/queryStringParameters/dryRun", { queryStringParameters: { dryRun: true } }],
  ["/headers", { headers: null }],
  ["/headers/if-match", { headers: { "if-match": null } }],
  ["/pathParameters/featureName", { pathParameters: { featureName: ["any"] } }],
  ["/requestContext/requestId", { requestContext: {} }],
  ["/requestContext/http", { requestContext: { requestId: "1" } }],
  ["/body", { body: update }],
  ["/isBase64Encoded", { isBase64Encoded: "true" }],
])("%s is named in the 400 for an event with %j", async (place, members) => {
  const isWhole = place === "it";

  const answer = await burgee.deliver("tags", isWhole ? members : { ...putTags(), ...Object(members) });

  expect(answer).toEqual(invalid({ message: naming("payload format 2.0", place) }));
  expect(log).toEqual([expect.objectContaining({ level: "info", status: 400 })]);
  expect(burgee.wire.calls).toEqual([]);
});

it("an event without parameters and a body may say so by null, as emulators do", async () => {
  const none = { queryStringParameters: null, pathParameters: null, body: null };
  const event = eventOf({ method: "GET", path: "/api/admin/projects" });

  expect(await burgee.deliver("read", { ...event, ...none })).toMatchObject({ status: 200 });
});

it("an event with another route returns 404", async () => {
  expect(await burgee.deliver("tags", { ...putTags(), routeKey: "ANY /{proxy+}" })).toEqual(notFound());
});

it("the names of headers may be in any letter case", async () => {
  const headers = { Authorization: adminKey, "CONTENT-TYPE": "application/json" };

  expect(await burgee.deliver("tags", { ...putTags(), headers })).toEqual(tagged(feature, update.addedTags));
});

it("a path parameter that the route does not have is ignored: it narrows no route over all environments", async () => {
  const json = [{ op: "add", path: "/-", value: { name: "blue", weight: 0 } }];
  const headers = { "idempotency-key": "one" };
  const event = eventOf({ method: "PATCH", path: variantsPath(feature), json, headers });
  const { featureName = "", projectId = "" } = event.pathParameters ?? {};
  const pathParameters = { environment: "production", featureName, projectId };

  const answer = await burgee.deliver("variants", { ...event, pathParameters });
  const retried = await burgee.deliver("variants", event);

  const outcomes = ["patched", "already patched"].map((one) => `development=${one}, production=${one}`);
  expect([answer, retried]).toEqual(outcomes.map((one) => patchedTo([variant("blue")], { outcomes: one })));
});
