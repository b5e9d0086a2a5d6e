/** Query parameters: what a route that writes does not know is refused, so that a misspelt dryRun never writes. */
import { beforeAll, describe, expect, it } from "vitest";
import { invalid, naming } from "../../support/answers.ts";
import { eventOf, type Response, tagsPath, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("added")], removedTags: [] };
const environment = "development";

const burgee = useBurgee();
let feature: string;

beforeAll(async () => {
  feature = await addFeature(burgee, { environments: { [environment]: [variant("blue")] } });
});

let patches = 0;
const patch = () => [add("/0/stickiness", `s${patches++}`)];

const routes: [string, (query: string) => Promise<Response>][] = [
  ["a tag update", (query) => burgee.putTags(feature, update, { query })],
  ["a patch", (query) => burgee.patch(feature, patch(), { query })],
  ["a patch of one environment", (query) => burgee.patch(feature, patch(), { query, environment })],
];

describe.each(routes)("%s", (_, send) => {
  it.each([
    ["dryrun=true", "dryrun"],
    ["+dryRun=true", " dryRun"],
    ["By=name", "By"],
    ["dryRun=true&x=1", "x"],
    ["dryRun=true;x=1", "dryRun must be true or false"],
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
  expect(await burgee.patch(feature, [], { query: "form=name" })).toEqual(ofVariants);
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
