/** Query parameters: a misspelt dryRun or by must not write. */
import { beforeAll, describe, expect, it } from "vitest";
import { invalid, naming } from "../../support/answers.ts";
import { eventOf, type Response, tagsPath, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
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
    "dryRun[]=true",
    "+dryRun=true",
    "dryRun%20=true",
    "dry_run=true",
    "dry_run",
    "DRYRUN=1",
    "dryrun",
    "dryrun=true",
    "dry-run=true",
    "dryRn=true",
    "dryRunn=true",
    "drRun=true",
    "ddryRun=true",
    "dyrRun=true",
    "dryFun=true",
    "dryRun1=true",
    "%00dryRun=true",
    "a=1&Dry.Run=true",
    "a=1&amp;dryRun=true",
    "x%3Dtrue%26dryRun%3Dtrue",
    "dryRun%3Dtrue",
    "dryRun",
    "dryRun=",
    "dryRun=1",
    "dryRun=yes",
    "dryRun=TRUE",
    "dryRun=true&dryRun=true",
    "dryRun=true&dryRun=false",
  ])("with ?%s returns 400 that names dryRun, and writes nothing", async (query) => {
    expect(await send(query)).toEqual(invalid({ message: naming("dryRun") }));
    expect(burgee.writes()).toEqual([]);
  });

  it.each(["By=name", "BY=name", "by[]=name", "_by=1"])(
    "with ?%s returns 400 that names by, and writes nothing",
    async (query) => {
      expect(await send(query)).toEqual(invalid({ message: naming("by") }));
      expect(burgee.writes()).toEqual([]);
    },
  );

  it.each([
    "",
    "x=1",
    "run=true",
    "dry=true",
    "dry=1&x=%ZZ",
    "dryRunner=true",
    "try=1",
    "bye=1",
    "b=1",
    "d=1&r=2",
    "dr=1",
    "dryRun=false",
  ])("with ?%s writes", async (query) => {
    expect([200, 201]).toContain((await send(query)).status);
    expect(burgee.writes()).toHaveLength(1);
  });

  it("with ?dryRun=true writes nothing", async () => {
    expect((await send("dryRun=true")).status).toBe(200);
    expect(burgee.writes()).toEqual([]);
  });
});

it.each([
  ["as the client sent it", { rawQueryString: "dryRun=true" }],
  ["parsed", { queryStringParameters: { dryRun: "true" } }],
])("an event with dryRun=true only %s writes nothing", async (_, query) => {
  const event = eventOf({ method: "PUT", path: tagsPath(feature), json: update });

  expect((await deliver("tags", { ...event, ...query })).status).toBe(200);
  expect(burgee.writes()).toEqual([]);
});

it("a read ignores every query parameter that it does not have", async () => {
  expect((await burgee.getTags(feature, { query: "dryRun[]=true&By=name" })).status).toBe(200);
});
