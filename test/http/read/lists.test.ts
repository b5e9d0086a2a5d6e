/** The lists of projects and of features. */
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { useBurgee } from "../../support/burgee.ts";
import { times } from "../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const names = ["Zebra", "apple", "apple-2", "étoile", "\ue000", "\u{1f6a9}"];

beforeAll(async () => {
  const lists = { development: [variant("a")], production: [] };
  await burgee.store({
    projects: [
      projectOf("web", "development", "production"),
      projectOf("app", "development"),
      projectOf("we", "b#x"),
    ],
    features: [
      ...names.map((name) => featureOf(name, lists, { project: "web" })).toReversed(),
      featureOf(
        "tagged",
        { development: [] },
        { project: "app", tags: [tag("bb"), tag("aa"), tag("zz", "a-type")] },
      ),
    ],
  });
});

const listFeatures = (project: string, query = "", options = {}) =>
  burgee.send({ method: "GET", path: `/api/admin/projects/${project}/features${query}`, ...options });
const listProjects = (options = {}) =>
  burgee.send({ method: "GET", path: "/api/admin/projects", ...options });
const namesIn = ({ json }: Awaited<ReturnType<typeof listFeatures>>): string[] =>
  json.features.map(({ name }: { name: string }) => name);

describe("the list of features", () => {
  it("has the tags and environments of each feature of the project, in order of name by code points", async () => {
    const { status, json } = await listFeatures("app");

    const tags = [tag("zz", "a-type"), tag("aa"), tag("bb")];
    const features = [{ name: "tagged", tags, environments: ["development"] }];
    expect([status, json]).toEqual([200, { version: 1, features }]);
    expect(namesIn(await listFeatures("web"))).toEqual(names);
  });

  it("is read page by page", async () => {
    const first = await listFeatures("web", "?limit=2");
    const second = await listFeatures("web", `?limit=2&after=${encodeURIComponent(first.json.next)}`);
    const last = await listFeatures("web", `?limit=2&after=${encodeURIComponent(second.json.next)}`);

    expect([first, second, last].flatMap(namesIn)).toEqual(names);
    expect([first, second, last].map(({ json }) => json.next)).toEqual(["apple", "étoile", undefined]);
    expect(namesIn(await listFeatures("web", "?after=apple-1"))).toEqual(names.slice(2));
  });

  it("has 100 features unless a limit is given", async () => {
    const many = times(101, (index) => `many-${1000 + index}`);
    const features = many.map((name) => featureOf(name, {}, { project: "many" }));
    await burgee.store({ projects: [projectOf("many")], features });

    const { json } = await listFeatures("many");

    expect([json.features.length, json.next]).toEqual([100, "many-1099"]);
    expect(namesIn(await listFeatures("many", "?limit=1000"))).toEqual(many);
  });

  it.each(["0", "1001", "-1", "1.5", "ten", "", "1e2"])("refuses the limit %j", async (limit) => {
    const { status, json } = await listFeatures("web", `?limit=${limit}`);

    expect([status, json.message]).toEqual([400, "limit must be a whole number from 1 to 1000"]);
  });

  it("refuses an `after` that no feature can have", async () => {
    const after = "x".repeat(limits.nameBytes + 1);

    expect((await listFeatures("web", `?after=${after}`)).status).toBe(400);
    expect((await listFeatures("web", `?after=${after.slice(1)}`)).json.features).toHaveLength(3);
  });

  it.each(["nothing", "x".repeat(limits.nameBytes + 1), "%00", "__proto__"])(
    "is a 404 in %j, which is no project",
    async (id) => {
      const message = `There is no project "${decodeURIComponent(id)}"`;
      expect(await listFeatures(id)).toMatchObject({ status: 404, json: { message } });
    },
  );

  it("shows a tag as soon as it is added, and responds with 304 to its ETag until then", async () => {
    const { headers } = await listFeatures("app");
    const known = { headers: { "if-none-match": headers.etag } };
    const unchanged = await listFeatures("app", "", known);
    await burgee.putTags("tagged", { addedTags: [tag("new")], removedTags: [] });
    const changed = await listFeatures("app", "", known);

    expect([unchanged.status, unchanged.json, unchanged.headers.etag]).toEqual([
      304,
      undefined,
      headers.etag,
    ]);
    expect(changed.json.features[0].tags).toContainEqual(tag("new"));
  });

  it("is refused where it would be larger than Lambda's responses", async () => {
    const tags = times(600, (index) => tag(`${index}`.padEnd(50, "\u0001"), "\u0001".repeat(50)));
    const features = times(16, (index) => featureOf(`f-${index}`, {}, { project: "large", tags }));
    await burgee.store({ projects: [projectOf("large")], features });

    const { status, json } = await listFeatures("large");

    expect([status, json.message]).toEqual([
      400,
      "The response would be larger than 6 MB; give a smaller limit",
    ]);
    expect((await listFeatures("large", "?limit=1")).status).toBe(200);
  });
});

describe("the list of projects", () => {
  it("has those in which the key may read", async () => {
    const key = await burgee.keyWith(
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "web", environment: "production" },
      { permission: "READ", project: "gone" },
      { permission: "CLIENT", project: "app" },
    );

    const ids = (await listProjects()).json.projects.map(({ id }: { id: string }) => id);
    expect(ids.slice(0, 3)).toEqual(["app", "large", "many"]);
    expect((await listProjects({ key })).json).toEqual({
      version: 1,
      projects: [{ id: "web", environments: ["development", "production"] }],
    });
  });
});

it("what would be made from more than 20 pages is refused, and fewer features are listed", async () => {
  const more = times(limits.listPages + 1, (index) => `more-${index}`);
  await burgee.store({
    projects: [projectOf("more", "production"), ...more.map((id) => projectOf(id))],
    features: more.map((name) => featureOf(name, { production: [] }, { project: "more" })),
  });
  burgee.wire.pageItems = 1;
  const document = { method: "GET", path: "/api/projects/more/environments/production/flagd.json" };

  const answers = [await listProjects(), await listFeatures("more"), await burgee.send(document)];
  const fewer = await listFeatures("more", `?limit=${limits.listPages - 1}`);

  expect(answers.map(({ status, json }) => [status, json.message])).toEqual(
    ["list of projects", "list of features", 'document of project "more" in environment "production"'].map(
      (what) => [400, `The ${what} would be made from more than 20 MB; divide the project`],
    ),
  );
  expect(namesIn(fewer)).toHaveLength(limits.listPages - 1);
});

it("one query lists the features, and its key is the only other call", async () => {
  const key = await burgee.keyWith({ permission: "READ", project: "web" });
  await listFeatures("web", "", { key });

  expect(burgee.wire.calls.map(({ operation }) => operation).sort()).toEqual(["GetItem", "GetItem", "Query"]);
  expect(burgee.writes()).toEqual([]);
});
