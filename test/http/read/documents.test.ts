/** The documents that SDKs load: their content, how long they are kept, their codings and their conditions. */
import { randomBytes } from "node:crypto";
import { FlagdCore } from "@openfeature/flagd-core";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../lib/contract/json.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { environmentTableKey, featureTableKey, projectTableKey } from "../../../lib/store/items/items.ts";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, move, times } from "../../support/patching.ts";
import { silent } from "../../support/sdks.ts";
import { addFeature, featureOf, projectOf, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const two = [variant("blue", { weight: 500 }), variant("green", { weight: 500 })];
beforeAll(() =>
  addFeature(burgee, { name: "checkout", environments: { development: [], production: two }, enabled: true }),
);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));

type Options = Partial<Request> & { project?: string; environment?: string };

function load(name: string, { project = "default", environment = "production", ...request }: Options = {}) {
  const path = `/api/projects/${encodeURIComponent(project)}/environments/${encodeURIComponent(environment)}/${name}`;
  return burgee.send({ method: "GET", path, ...request });
}
const loadUnleash = (options?: Options) => load("client/features", options);
const loadFlagd = (options?: Options) => load("flagd.json", options);

const variantsOf = (json: { features: { name: string; variants: Variant[] }[] }, feature: string) =>
  json.features.find(({ name }) => name === feature)?.variants;

it("has the variants of the features of the environment, on for everyone where they are on", async () => {
  const project = "shop";
  await addFeature(burgee, { name: "banner", project, environments: { production: two }, enabled: true });

  const [unleash, flagd] = [await loadUnleash({ project }), await loadFlagd({ project })];

  expect(variantsOf(unleash.json, "banner")).toEqual(two);
  expect(unleash.json.features[0]).toMatchObject({ enabled: true, strategies: [{ name: "default" }] });
  expect(unleash.json.query).toEqual({ environment: "production", project: [project] });
  expect(flagd.json.flags.banner).toMatchObject({ state: "ENABLED", variants: { blue: "blue" } });
  expect(unleash.headers).toMatchObject({
    "cache-control": "no-cache, must-revalidate",
    vary: "authorization, accept-encoding",
    "content-type": "application/json",
  });
});

it("has exactly the features of its project and environment, whatever their names", async () => {
  const odd = ["production", "production#a", "#", "a#production", "12"];
  const projects = ["p", "p#12", "p#2#a"];
  await burgee.store({
    projects: projects.map((id) => projectOf(id, ...odd)),
    features: projects.map((project) =>
      featureOf(`of ${project}`, Object.fromEntries(odd.map((name) => [name, [variant("v")]])), { project }),
    ),
  });

  for (const project of projects) {
    for (const environment of odd) {
      const { json } = await loadUnleash({ project, environment });
      expect(json.features.map(({ name }: { name: string }) => name)).toEqual([`of ${project}`]);
    }
  }
});

it("lacks a feature that is being created or deleted", async () => {
  const half = await addFeature(burgee);
  await burgee.remove(featureTableKey(half));
  const other = await addFeature(burgee);
  await burgee.remove(environmentTableKey(other, "production"));

  const { json } = await loadUnleash();

  expect(json.features.map(({ name }: { name: string }) => name)).toEqual(["checkout"]);
});

describe("a document", () => {
  const load = loadFlagd;

  it("is a 404 where the project or the environment does not exist", async () => {
    const answers = [
      await load({ project: "other" }),
      await load({ environment: "staging" }),
      await load({ project: "x".repeat(1001), environment: "y".repeat(1001) }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers[0]?.json.message).toBe('There is no project "other"');
    expect(answers[1]?.json.message).toBe('Project "default" has no environment "staging"');
  });

  it("is kept for 5 seconds: polls until then look up nothing but their key, and that once", async () => {
    const { headers } = await load();
    await burgee.patchVariants("checkout", [add("/-", { name: `red-${Date.now()}`, weight: 0 })]);
    burgee.wire.reset();
    vi.advanceTimersByTime(4_900);
    const polls = [await load(), await load()];
    const calls = burgee.wire.calls.map(({ operation }) => operation);
    vi.advanceTimersByTime(200);
    const later = await load();

    expect(polls.map((poll) => poll.headers.etag)).toEqual([headers.etag, headers.etag]);
    expect(calls).toEqual([]);
    expect(later.headers.etag).not.toBe(headers.etag);
    expect(JSON.stringify(later.json)).toContain("red-");
  });

  it("is made again where the clock was set back since: how old it is, is not known", async () => {
    await load();
    const name = `set-back-${Date.now()}`;
    await burgee.patchVariants("checkout", [add("/-", { name, weight: 0 })]);
    const now = Date.now();
    vi.setSystemTime(now - 3_600_000);
    const { json } = await load();
    vi.setSystemTime(now);

    expect(JSON.stringify(json)).toContain(name);
  });

  it("is not loaded again by who has it: 304, also where it was made again since", async () => {
    const { headers } = await load();
    const known = { headers: { "if-none-match": headers.etag ?? "" } };
    burgee.wire.reset();
    const soon = await load(known);
    expect(burgee.wire.calls).toEqual([]);
    vi.advanceTimersByTime(60_000);
    const later = await load(known);
    const other = await load({ headers: { "if-none-match": '"other"' } });

    expect([soon.status, later.status, other.status]).toEqual([304, 304, 200]);
    expect(later.headers).toMatchObject({
      etag: headers.etag,
      "cache-control": "no-cache, must-revalidate",
      vary: "authorization, accept-encoding",
    });
    expect(later.headers).not.toHaveProperty("content-type");
  });

  it.each(["gzip", "deflate, GZIP;q=0.5", "br, x-gzip"])(
    "is compressed for %s, with an ETag of its own",
    async (coding) => {
      const plain = await load();
      const compressed = await load({ headers: { "accept-encoding": coding } });
      const etag = compressed.headers.etag ?? "";
      const known = await load({ headers: { "accept-encoding": coding, "if-none-match": etag } });

      expect(compressed.headers).toMatchObject({
        "content-encoding": "gzip",
        vary: "authorization, accept-encoding",
      });
      expect(compressed.json).toEqual(plain.json);
      expect(etag).not.toBe(plain.headers.etag);
      expect([known.status, known.headers["content-encoding"]]).toEqual([304, undefined]);
    },
  );

  it("has the same headers for HEAD, and no body", async () => {
    const headers = { "accept-encoding": "gzip" };
    const compressed = await load({ headers });

    const head = await load({ method: "HEAD", headers });

    expect(head).toEqual({ ...compressed, json: undefined });
  });

  it.each(["gzip;q=0", "br", "gzipped", "*;q=0.1, gzip; q=0.00"])(
    "is not compressed for %s",
    async (coding) => {
      expect((await load({ headers: { "accept-encoding": coding } })).headers).not.toHaveProperty(
        "content-encoding",
      );
    },
  );
});

it("the header and the log line count what is left out", async () => {
  const spread = [variant("a", { weight: 500 }), variant("b", { weight: 500, stickiness: "userId" })];
  await addFeature(burgee, { name: "odd", project: "odd", environments: { production: spread } });
  const options = { project: "odd" };

  const [first, second, flagd] = [await loadUnleash(options), await loadUnleash(options), await loadFlagd()];

  expect([first, second, flagd].map(({ headers }) => headers["burgee-left-out"])).toEqual([
    "1",
    "1",
    undefined,
  ]);
  expect(log.slice(-3).map((line) => line.omissions)).toEqual([1, 1, undefined]);
});

describe("a feature with flagd's own logic", () => {
  const core = new FlagdCore(undefined, silent);
  let project: string;
  let sound: string;
  let feature: string;
  beforeEach(async () => {
    project = `own-${randomBytes(4).toString("hex")}`;
    const options = { project, enabled: true };
    sound = await addFeature(burgee, { ...options, environments: { production: [variant("v")] } });
    feature = await addFeature(burgee, { ...options, environments: { production: two } });
  });

  async function evaluate(flag: string) {
    vi.advanceTimersByTime(60_000);
    const { json, headers } = await loadFlagd({ project });
    // Throws if flagd refuses a flag: with it, flagd refuses the document of all flags.
    core.setConfigurations(JSON.stringify(json));
    const { value } = core.resolveStringEvaluation(flag, "none", { targetingKey: "u" });
    return { value, leftOut: headers["burgee-left-out"] };
  }
  const addTargeting = (targeting: Json) =>
    burgee.patchFeature(feature, [add("/targeting", targeting)], { project });

  it("is left out while its default variant is missing, and the others are served", async () => {
    const rename = (from: string, path: string) =>
      burgee.patchVariants(feature, [move(from, path)], { project, query: "by=name" });
    await addTargeting({ defaultVariant: "blue" });
    expect(await evaluate(feature)).toEqual({ value: "blue", leftOut: undefined });

    await rename("/blue", "/azure");

    expect(await evaluate(feature)).toEqual({ value: "none", leftOut: "1" });
    expect(await evaluate(sound)).toEqual({ value: "v", leftOut: "1" });
    await rename("/azure", "/blue");
    expect(await evaluate(feature)).toEqual({ value: "blue", leftOut: undefined });
  });

  it.each([
    ["is not among the variants", { defaultVariant: "bleu" }, "1"],
    ["is a member of every object", { defaultVariant: "toString" }, "1"],
    ["is not among flagd's own values", { defaultVariant: "blue", variants: { azure: "#00f" } }, "1"],
    ["is among flagd's own values", { defaultVariant: "azure", variants: { azure: "#00f" } }, undefined],
    ["is empty, as flagd may have it", { defaultVariant: "" }, undefined],
    ["is null", { defaultVariant: null }, undefined],
  ])(
    "whose default variant %s does not make flagd refuse the others, on or off",
    async (_, targeting, leftOut) => {
      await addTargeting(targeting);

      expect(await evaluate(sound)).toEqual({ value: "v", leftOut });
      await burgee.switch(feature, "off", { project });
      expect(await evaluate(sound)).toEqual({ value: "v", leftOut });
    },
  );
});

it("the document of flagd has all flags, however long the name of a context field is that a request may store", async () => {
  const project = "named";
  const options = { project, enabled: true };
  await addFeature(burgee, { ...options, environments: { production: [variant("v")] } });
  const feature = await addFeature(burgee, { ...options, environments: { production: [] } });
  const constraint = {
    contextName: "n".repeat(120_000),
    operator: "STR_STARTS_WITH",
    values: times(5000, String),
  };
  const strategy = { name: "default", constraints: [constraint] };

  const { status } = await burgee.patchFeature(feature, [add("/strategies/s1", strategy)], { project });

  const { json } = await loadFlagd({ project });
  expect([status, Object.keys(json.flags).length]).toEqual([400, 2]);
});

it("a large document is refused without gzip, and loaded with it", async () => {
  const payload = { type: "string", value: "large ".repeat(30_000) };
  const names = Array.from({ length: 36 }, (_, index) => `large-${index}`);
  await burgee.store({
    projects: [projectOf("large", "production")],
    features: names.map((name) =>
      featureOf(name, { production: [variant("v", { payload })] }, { project: "large" }),
    ),
  });

  const plain = await loadUnleash({ project: "large" });
  const compressed = await loadUnleash({ project: "large", headers: { "accept-encoding": "gzip" } });

  const message =
    "The response would be larger than 6 MB; accept gzip, or divide the features over more projects";
  expect([plain.status, plain.json.message]).toEqual([400, message]);
  expect([compressed.status, compressed.json.features.length]).toEqual([200, 36]);
});

it("a document that is large when compressed is refused, with the way that is left", async () => {
  const payload = () => ({ type: "string", value: randomBytes(120_000).toString("base64") });
  const names = Array.from({ length: 40 }, (_, index) => `random-${index}`);
  await burgee.store({
    projects: [projectOf("random", "production")],
    features: names.map((name) =>
      featureOf(name, { production: [variant("v", { payload: payload() })] }, { project: "random" }),
    ),
  });

  const { status, json } = await loadUnleash({
    project: "random",
    headers: { "accept-encoding": "gzip" },
  });

  const message = "The response would be larger than 6 MB; divide the features over more projects";
  expect([status, json.message]).toEqual([400, message]);
});

describe.each(["register", "metrics"])("what an SDK sends to /client/%s", (name) => {
  const path = `/api/projects/default/environments/production/client/${name}`;
  const send = (request: Partial<Request> = {}) =>
    burgee.send({
      method: "POST",
      path,
      body: JSON.stringify({ appName: "shop" }),
      headers: { "content-type": "application/json" },
      ...request,
    });

  it("is a 202 without a body, and reads and writes nothing but the key", async () => {
    await send();
    burgee.wire.reset();

    const { status, json, headers } = await send();

    expect([status, json, headers["content-type"]]).toEqual([202, undefined, undefined]);
    expect(burgee.wire.calls).toEqual([]);
  });

  it("needs a key that may load the document, and may have any body", async () => {
    const elsewhere = await burgee.keyWith({
      permission: "CLIENT",
      project: "default",
      environment: "development",
    });
    const reader = await burgee.keyWith({
      permission: "CLIENT",
      project: "default",
      environment: "production",
    });

    const answers = [
      await send({ key: "no-such-key-at-all" }),
      await send({ key: elsewhere }),
      await send({ key: reader }),
      await send({ body: "x".repeat(257 * 1024), headers: { "content-encoding": "gzip" } }),
      await burgee.send({ method: "GET", path }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 202, 202, 405]);
  });
});

describe("while the database fails, a document", () => {
  const fail = () => burgee.wire.decide(() => ({ error: "ResourceNotFoundException" }));
  const name = () => `variant-${Date.now()}`;

  it("is served for 15 minutes more, with its age and a cause in the log, also to an SDK that starts", async () => {
    const key = await burgee.keyWith({ permission: "CLIENT" });
    const fresh = await loadUnleash({ key });
    fail();
    vi.advanceTimersByTime(60_000);
    const stale = await loadUnleash({ key });
    const { path, method } = { path: "client/register", method: "POST" };
    const registered = await load(path, { key, method, json: { appName: "shop" } });
    vi.advanceTimersByTime(844_000);
    const last = await loadUnleash({ key, headers: { "if-none-match": fresh.headers.etag ?? "" } });
    vi.advanceTimersByTime(2_000);
    const late = await loadUnleash({ key });

    expect(stale).toEqual({ ...fresh, headers: { ...fresh.headers, age: "60" } });
    expect(registered.status).toBe(202);
    expect([last.status, last.headers.age, late.status]).toEqual([304, "904", 500]);
    expect(log[1]).toMatchObject({ level: "info", status: 200, caller: key, stale: { seconds: 60 } });
    expect(JSON.stringify(log[1])).toContain("ResourceNotFoundException");
  });

  it("is not waited for again by requests of the next 5 seconds, and is made again afterwards", async () => {
    await loadUnleash();
    fail();
    vi.advanceTimersByTime(60_000);
    await loadUnleash();
    burgee.wire.reset();
    const added = name();
    await burgee.patchVariants("checkout", [add("/-", { name: added, weight: 0 })]);
    burgee.wire.reset();
    vi.advanceTimersByTime(4_000);
    const resting = await loadUnleash();
    const calls = burgee.wire.calls.length;
    vi.advanceTimersByTime(1_000);
    const again = await loadUnleash();

    expect([resting.headers.age, calls]).toEqual(["64", 0]);
    expect(again.headers.age).toBeUndefined();
    expect(JSON.stringify(again.json)).toContain(added);
  });

  it("is served within seconds where the database does not respond", async () => {
    await loadUnleash();
    vi.advanceTimersByTime(60_000);
    burgee.wire.decide(() => ({ beforeMs: 60_000 }));
    const startedAt = performance.now();

    const { headers } = await loadUnleash();

    expect(headers.age).toBe("60");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("is refused to a key that is not cached, or was found revoked; other routes are refused", async () => {
    const key = await burgee.keyWith({ permission: "READ" });
    const revoked = await burgee.keyWith({ permission: "CLIENT" });
    for (const each of [key, revoked]) await loadUnleash({ key: each });
    await burgee.store({ apiKeys: [{ name: revoked, key: revoked, permissions: [], disabled: true }] });
    vi.advanceTimersByTime(60_000);
    await loadUnleash({ key: revoked });
    fail();
    const answers = [
      await loadUnleash({ key: "burgee-test-key-unknown" }),
      await loadUnleash({ key: revoked }),
      await burgee.send({ method: "GET", path: "/api/admin/projects", key }),
      await loadUnleash({ key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
  });

  it("is a 404 once the project is gone", async () => {
    await burgee.store({ projects: [projectOf("gone", "production")] });
    await loadUnleash({ project: "gone" });
    await burgee.remove(projectTableKey("gone"));
    vi.advanceTimersByTime(60_000);

    expect((await loadUnleash({ project: "gone" })).status).toBe(404);
  });
});
