/** The lists of projects and of features. */
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
import { addFeature, featureOf, projectOf, tag, variant } from "../../support/seed.ts";

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

    expect([status, json.message]).toEqual([
      400,
      `The query parameter limit must be an integer from 1 to 1000; it is "${limit}"`,
    ]);
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
    await addFeature(burgee, { name: "untagged", project: "shop" });
    const { headers } = await listFeatures("shop");
    const known = { headers: { "if-none-match": headers.etag } };
    const unchanged = await listFeatures("shop", "", known);
    await burgee.putTags("untagged", { addedTags: [tag("new")], removedTags: [] });
    const changed = await listFeatures("shop", "", known);

    expect([unchanged.status, unchanged.json, unchanged.headers.etag]).toEqual([
      304,
      undefined,
      headers.etag,
    ]);
    expect(changed.json.features[0].tags).toContainEqual(tag("new"));
  });

  it("is refused where it would be larger than Lambda's responses", async () => {
    const tags = times(300, (index) => tag(`${index}`.padEnd(50, "\u0001"), "\u0001".repeat(50)));
    const features = times(34, (index) => featureOf(`f-${index}`, {}, { project: "large", tags }));
    await burgee.store({ projects: [projectOf("large")], features });

    const { status, json } = await listFeatures("large");

    expect([status, json.message]).toEqual([
      400,
      "The response would be larger than 6 MB; give a smaller limit",
    ]);
    expect((await listFeatures("large", "?limit=1")).status).toBe(200);
  });
});

describe("the list of features with their environments", () => {
  const blue = variant("blue", { payload: { type: "string", value: "x" } });
  const withEnvironments = (project: string, query = "", options = {}) =>
    listFeatures(project, `?with=environments${query}`, options);

  beforeAll(async () => {
    const states = { production: [blue], development: [] };
    await burgee.store({
      projects: [projectOf("both", "development", "production")],
      features: [
        featureOf("first", states, { project: "both", enabled: true, tags: [tag("aa")] }),
        featureOf("second", { production: [] }, { project: "both" }),
      ],
    });
  });

  it("has for whom each is on, with the number of constraints in place of these", async () => {
    const parameters = { rollout: "25", stickiness: "userId", groupId: "g" };
    const constraints = [{ contextName: "country", operator: "IN", values: ["DE"] }];
    const strategy = { name: "flexibleRollout", parameters, constraints };
    const path = "/api/admin/projects/both/features/second/environments/production";
    const added = await burgee.send({
      method: "PATCH",
      path,
      json: [{ op: "add", path: "/strategies/gradual", value: strategy }],
    });
    expect(added.status).toBe(200);

    const { json } = await withEnvironments("both");

    expect(json.features[1].environments.at(-1)).toMatchObject({
      strategies: [{ name: "flexibleRollout", parameters, constraintCount: 1, variants: [] }],
    });
    await burgee.send({ method: "PATCH", path, json: [{ op: "remove", path: "/strategies/gradual" }] });
  });

  it("has whether flagd's own logic decides, and the number of dependencies", async () => {
    const environment = {
      targeting: { targeting: { if: [true, "off"] }, defaultVariant: "off" },
      dependencies: [{ feature: "parent" }, { feature: "other", enabled: false }],
    };
    await burgee.store({
      projects: [projectOf("decided", "production")],
      features: [{ name: "child", project: "decided", environments: { production: environment } }],
    });

    const { json } = await withEnvironments("decided");

    expect(json.features[0].environments).toEqual([
      { environment: "production", enabled: false, variants: [], hasTargeting: true, dependencyCount: 2 },
    ]);
  });

  it("has whether each is on and its variants, in the project's order of environments", async () => {
    const { status, json } = await withEnvironments("both");

    const first = [
      { environment: "development", enabled: true, variants: [] },
      { environment: "production", enabled: true, variants: [blue] },
    ];
    expect([status, json]).toEqual([
      200,
      {
        version: 1,
        with: "environments",
        features: [
          { name: "first", tags: [tag("aa")], environments: first },
          expect.objectContaining({ name: "second" }),
        ],
      },
    ]);
    expect(json.features[1].environments).toContainEqual({
      environment: "production",
      enabled: false,
      variants: [],
    });
  });

  it("has the variants by name where that is asked for", async () => {
    const { json } = await withEnvironments("both", "&by=name");

    const { name: _, ...nameless } = blue;
    expect(json.by).toBe("name");
    expect(json.features[0].environments[1].variants).toEqual({ blue: nameless });
  });

  it("shows a patch at once on this engine, and responds with 304 to its ETag until then", async () => {
    const project = "patched";
    const feature = await addFeature(burgee, { project, environments: { production: [] } });
    const { headers } = await withEnvironments(project);
    const known = { headers: { "if-none-match": headers.etag } };
    expect((await withEnvironments(project, "", known)).status).toBe(304);

    await burgee.patchVariants(feature, [add("/-", { name: "green", weight: 0 })], { project });

    const { json } = await withEnvironments(project, "", known);
    expect(json.features[0].environments.at(-1)).toMatchObject({
      variants: [{ name: "green", weight: 1000 }],
    });
  });

  it.each(["&limit=1001", "&limit=0"])("refuses %s, and any other `with`", async (query) => {
    const { status, json } = await withEnvironments("both", query);

    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(/^The query parameter limit must be an integer from 1 to 1000; /),
    ]);
    expect((await listFeatures("both", "?with=variants")).json.message).toBe(
      'The query parameter with must be environments; it is "variants"',
    );
    expect((await listFeatures("both", "?with=environments&by=weight")).status).toBe(400);
  });

  it("is refused to a key of SDKs, and is a 404 in what is no project", async () => {
    const key = await burgee.keyWith({ permission: "CLIENT", project: "both" });

    expect((await withEnvironments("both", "", { key })).status).toBe(403);
    expect((await withEnvironments("nothing")).status).toBe(404);
  });

  it("is read page by page where each environment ends elsewhere: by a small read, or by its variants", async () => {
    const large = [variant("blue", { payload: { type: "string", value: "x".repeat(180_000) } })];
    const lists = (index: number) =>
      index % 3 === 0 ? { production: large } : { development: large, production: [] };
    const names = times(14, (index) => `large-${100 + index}`);
    const features = names.map((name, index) => featureOf(name, lists(index), { project: "huge" }));
    await burgee.store({ projects: [projectOf("huge", "development", "production")], features });

    const pages: Awaited<ReturnType<typeof withEnvironments>>[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await withEnvironments("huge", `&limit=9&after=${after}`);
      expect(page.status).toBe(200);
      pages.push(page);
      after = page.json.next;
    }

    expect(pages.flatMap(namesIn)).toEqual(names);
    expect(pages.length).toBeGreaterThan(1);
    const environments = pages.flatMap(({ json }) => json.features).map((feature) => feature.environments);
    expect(
      environments.every((all) => all.some(({ variants }: { variants: unknown[] }) => variants.length === 1)),
    ).toBe(true);
  });

  it("goes on after a feature whose environments do not fit in a response, and says that it has more", async () => {
    const environments = times(6, (index) => `env-${index}`);
    const large = [variant("blue", { payload: { type: "string", value: "\u0001".repeat(180_000) } })];
    const states = Object.fromEntries(environments.map((name) => [name, large]));
    const features = [
      featureOf("a-large", states, { project: "wide" }),
      featureOf("small", { "env-0": [] }, { project: "wide" }),
    ];
    await burgee.store({ projects: [projectOf("wide", ...environments)], features });

    const first = await withEnvironments("wide", "&limit=1");
    const second = await withEnvironments("wide", `&limit=1&after=${first.json.next}`);

    const [{ environments: shown, more }] = first.json.features;
    expect([first.status, first.json.next, more]).toEqual([200, "a-large", true]);
    expect(shown.map(({ environment }: { environment: string }) => environment)).toEqual(
      environments.slice(0, 3),
    );
    expect([namesIn(second), second.json.features[0].more]).toEqual([["small"], undefined]);
  });

  it("is read by one query for the features and one for each environment", async () => {
    await withEnvironments("both");
    burgee.wire.reset();

    // By now the sandbox knows the API key.
    await withEnvironments("both");

    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual([
      "GetItem",
      "Query",
      "Query",
      "Query",
    ]);
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
    expect(ids).toEqual(ids.toSorted());
    expect(ids).toEqual(expect.arrayContaining(["app", "we", "web"]));
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
    [
      "The list of projects would be made from more than 20 MB; remove projects that are not used",
      "The list of features would be made from more than 20 MB; give a smaller limit",
      'The document of project "more" in environment "production" would be made from more than 20 MB; divide the project',
    ].map((message) => [400, message]),
  );
  expect(namesIn(fewer)).toHaveLength(limits.listPages - 1);
});

it("one query lists the features, and its key is the only other call", async () => {
  const key = await burgee.keyWith({ permission: "READ", project: "web" });
  await listFeatures("web", "", { key });

  expect(burgee.wire.calls.map(({ operation }) => operation).sort()).toEqual(["GetItem", "GetItem", "Query"]);
  expect(burgee.writes()).toEqual([]);
});
