/** Routes: how a request finds its route, how names in a path are decoded, and which query parameters are accepted. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  invalid,
  naming,
  notFound,
  patchedTo,
  refused,
  tagged,
  unauthenticated,
  unchanged,
} from "../../support/answers.ts";
import { adminKey, eventOf, type Response, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const environment = "development";

const burgee = useBurgee();
let feature: string;

beforeAll(async () => {
  feature = await addFeature(burgee, { environments: { [environment]: [variant("blue")] } });
});

const addBlue = [add("/-", { name: "blue", weight: 0 })];
let count = 0;
const patch = () => [add("/0/stickiness", `s${count++}`)];
const nextUpdate = () => ({ addedTags: [tag(`team-${count++}`)], removedTags: [] });

const routes: [string, (query: string) => Promise<Response>][] = [
  ["a tag update", (query) => burgee.putTags(feature, nextUpdate(), { query })],
  ["a patch", (query) => burgee.patchVariants(feature, patch(), { query })],
  ["a patch of one environment", (query) => burgee.patchVariants(feature, patch(), { query, environment })],
];

describe.each(routes)("%s", (_, send) => {
  it.each([
    ["dryrun=true", "dryrun"],
    ["+dryRun=true", " dryRun"],
    ["?dryRun=true", "?dryRun"],
    ["By=name", "By"],
    ["dryRun=true&x=1", "x"],
    ["dryRun=true;x=1", 'The query parameter dryRun must be true or false; it is "true;x=1"'],
    ["x=1&amp;dryRun=true", "x"],
    ["__proto__=1", "__proto__"],
    ["dryRun", "dryRun"],
    ["dryRun=TRUE", "dryRun"],
    ["dryRun=true&dryRun=true", "dryRun"],
  ])("with ?%s returns 400 that names %j and dryRun, and writes nothing", async (query, name) => {
    expect(await send(query)).toEqual(invalid({ message: naming(name, "dryRun") }));
    expect(burgee.writes()).toEqual([]);
  });

  it.each(["", "dryRun=false"])("with ?%s writes", async (query) => {
    expect([200, 201]).toContain((await send(query)).status);
    expect(burgee.writes()).toHaveLength(1);
  });

  it("with ?dryRun=true writes nothing", async () => {
    expect((await send("dryRun=true")).status).toBe(200);
    expect(burgee.writes()).toEqual([]);
  });
});

it("a refusal names the parameters of the route", async () => {
  const ofTags = invalid({ message: naming("by", "this route accepts dryRun") });
  expect(await burgee.putTags(feature, update, { query: "by=name" })).toEqual(ofTags);
  const ofVariants = invalid({ message: naming("form", "dryRun and by") });
  expect(await burgee.patchVariants(feature, [], { query: "form=name" })).toEqual(ofVariants);
});

it.each([
  ["as the client sent it", { rawQueryString: "dryRun=true" }],
  ["parsed", { queryStringParameters: { dryRun: "true" } }],
])("an event with dryRun=true only %s writes nothing", async (_, query) => {
  const event = eventOf({ method: "PUT", path: tagsPath(feature), json: update });

  expect((await burgee.deliver("tags", { ...event, ...query })).status).toBe(200);
  expect(burgee.writes()).toEqual([]);
});

it("a read ignores every query parameter that it does not have", async () => {
  expect((await burgee.getTags(feature, { query: "dryRun=1&by=id&x=1" })).status).toBe(200);
  expect((await burgee.getVariants(feature, { query: "dryRun=1&x=1" })).status).toBe(200);
});

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
  [tagsPath("any"), ["POST", "PATCH", "DELETE", "OPTIONS"], "GET, HEAD, PUT"],
  [variantsPath("any"), ["POST", "PUT", "DELETE", "OPTIONS"], "GET, HEAD, PATCH"],
  [variantsPath("any", { environment: "development" }), ["POST", "PUT"], "GET, HEAD, PATCH"],
])("%s returns 405 and allow for the methods %j", async (path, methods, allow) => {
  const answers = await Promise.all(methods.map((method) => burgee.send({ method, path, json: [] })));

  expect(answers).toEqual(methods.map(() => refused(405, "MethodNotAllowed", { headers: { allow } })));
});

it.each([
  [404, tagsPath("missing")],
  [405, `${variantsPath("any")}/changes/any/undo`],
])("HEAD is refused without a body: %i", async (status, path) => {
  const answer = await burgee.send({ method: "HEAD", path });

  expect([answer.status, answer.json]).toEqual([status, undefined]);
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
    "...",
  ])("%j, as the name of a feature and of its project", async (name) => {
    await addFeature(burgee, { name, project: name });

    expect(await burgee.putTags(name, update)).toEqual(tagged(name, update.addedTags));
    expect(await burgee.patchVariants(name, addBlue, { project: name })).toEqual(
      patchedTo([variant("blue")]),
    );
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
  const requests = (segment: string, key: string | null = adminKey) =>
    [
      { method: "PUT", path: `/api/admin/features/${segment}/tags`, json: update },
      { method: "PATCH", path: `/api/admin/projects/default/features/${segment}/variants`, json: addBlue },
      { method: "PATCH", path: `/api/admin/projects/${segment}/features/any/variants`, json: addBlue },
    ].map((request) => burgee.send({ ...request, key }));

  it.each(["%zz", "%E2%82"])("%s returns 400", async (segment) => {
    expect(await Promise.all(requests(segment))).toEqual([invalid(), invalid(), invalid()]);
  });

  it("without a key returns 401", async () => {
    expect(await Promise.all(requests("%zz", null))).toEqual(Array(3).fill(unauthenticated()));
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
