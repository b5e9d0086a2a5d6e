/** Which route a path and a method have, and how the names in a path are decoded. */
import { describe, expect, it } from "vitest";
import { invalid, notFound, patchedTo, refused, tagged, unchanged } from "../../support/answers.ts";
import { eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];

const burgee = useBurgee();

it.each([
  "/elsewhere",
  "/api/admin/features/any",
  "/api/admin/features//tags",
  "/api/admin/features/any/tags/",
  "/api/admin/projects/default/features/any/environments//variants",
  "/api/admin/projects/default/features/any/environments/development/variants/",
])("%s, which is no route, returns 404, with a key or without", async (path) => {
  const answers = [
    await burgee.send({ method: "PUT", path, json: update }),
    await burgee.send({ method: "PATCH", path, json: [] }),
    await burgee.send({ method: "GET", path, key: null }),
  ];

  expect(answers).toEqual([notFound(), notFound(), notFound()]);
});

it.each([
  [tagsPath("any"), ["HEAD", "POST", "PATCH", "DELETE", "OPTIONS"], "GET, PUT"],
  [variantsPath("any"), ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"], "GET, PATCH"],
  [variantsPath("any", { environment: "development" }), ["POST", "PUT"], "GET, PATCH"],
])("%s returns 405 and allow for the methods %j", async (path, methods, allow) => {
  const answers = await Promise.all(methods.map((method) => burgee.send({ method, path, json: [] })));

  expect(answers).toEqual(methods.map(() => refused(405, "MethodNotAllowed", { headers: { allow } })));
});

it("the preflight of a browser gets a 204, without a key, to which API Gateway adds the headers of CORS", async () => {
  const headers = { origin: "https://admin.example.com", "access-control-request-method": "PUT" };

  const answer = await burgee.send({ method: "OPTIONS", path: tagsPath("any"), key: null, headers });

  expect(answer).toMatchObject({ status: 204, json: undefined });
  expect(burgee.wire.calls).toEqual([]);
});

describe("a name is percent-decoded once", () => {
  it.each([
    "100%25",
    "two words",
    "a/b",
    "a+b?c=d&e#f",
    "Übergrößenträger 🏴‍☠️",
    "line\nbreak\u0000",
    "{featureName}",
    "__proto__",
    "..",
  ])("%j, as the name of a feature and of its project", async (name) => {
    await addFeature(burgee, { name, project: name });

    expect(await burgee.putTags(name, update)).toEqual(tagged(name, update.addedTags));
    expect(await burgee.patch(name, patch, { project: name })).toEqual(patchedTo([variant("blue")]));
    expect(await burgee.names(name, "production")).toEqual(["blue"]);
  });

  it("also where its characters need no encoding", async () => {
    await addFeature(burgee, { name: "plain" });
    const path = "/api/admin/features/%70l%61in/tags";

    const answer = await burgee.send({ method: "PUT", path, json: update });

    expect(answer).toEqual(tagged("plain", update.addedTags));
  });
});

describe("a malformed percent-encoding", () => {
  const requests = (segment: string) =>
    [
      { method: "PUT", path: `/api/admin/features/${segment}/tags`, json: update },
      { method: "PATCH", path: `/api/admin/projects/default/features/${segment}/variants`, json: patch },
      { method: "PATCH", path: `/api/admin/projects/${segment}/features/any/variants`, json: patch },
    ].map((request) => burgee.send(request));

  it.each(["%zz", "%E2%82"])("%s returns 400", async (segment) => {
    expect(await Promise.all(requests(segment))).toEqual([invalid(), invalid(), invalid()]);
  });
});

describe("behind a stage that has a name, or a domain that serves more than one API,", () => {
  /** A patch that changes nothing; `rawPath` begins with the stage. */
  function atStage(stage: string, feature: string) {
    const event = eventOf({ method: "PATCH", path: variantsPath(feature), json: [] });
    const rawPath = `/${stage}${event.rawPath}`;
    const http = { ...event.requestContext.http, path: rawPath };
    return { ...event, rawPath, requestContext: { ...event.requestContext, stage, http } };
  }

  it("a request has the same response", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });

    const answer = await burgee.deliver("variants", atStage("prod", feature));

    expect(answer).toEqual(unchanged([variant("blue")], "development"));
    expect(await burgee.deliver("variants", atStage("prod", "not-there"))).toEqual(notFound());
  });

  it("a path that the gateway could not decode returns 400", async () => {
    const { pathParameters, ...event } = atStage("prod", "100%");

    const answer = await burgee.deliver("variants", event);

    expect(answer).toEqual(invalid({ message: expect.stringContaining("100%") }));
  });
});
