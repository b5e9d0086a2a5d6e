/** `?by=name`: the variants as an object keyed by name, to read and to patch. */
import { describe, expect, it } from "vitest";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { everyAnswer, invalid, naming } from "../../support/answers.ts";
import { type Place, type Request, useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue", { weight: 500 });
const green = variant("green", { weight: 500 });
const nameless = ({ name: _, ...rest }: Variant) => rest;
const etag = expect.stringMatching(/^"[\w-]{16}"$/);

function send(
  method: "GET" | "PATCH",
  feature: string,
  { environment, ...options }: Partial<Request> & Place & { query?: string } = {},
) {
  const { query = "by=name", ...rest } = options;
  const place = environment === undefined ? "" : `/environments/${environment}`;
  const path = `/api/admin/projects/default/features/${feature}${place}/variants?${query}`;
  return burgee.send({ method, path, ...rest });
}

const patch = (feature: string, json: readonly PatchOperation[], options: Parameters<typeof send>[2] = {}) =>
  send("PATCH", feature, { json, ...options });

async function stored(feature: string, environment = "development"): Promise<Variant[]> {
  return (await burgee.storedEnvironment(feature, environment)).variants;
}

/** Production has another order, and one variant more. */
const diverged = {
  development: [blue, green],
  production: [
    variant("amber", { weight: 334 }),
    variant("blue", { weight: 333 }),
    variant("green", { weight: 333 }),
  ],
};

describe("GET by name", () => {
  it.each([{}, { environment: "production" }])(
    "has the same variants and ETag as by index: %j",
    async (place) => {
      const feature = await addFeature(burgee, { environments: diverged });
      const byIndex = await send("GET", feature, { ...place, query: "by=index" });

      const byName = await send("GET", feature, place);

      const variants = byIndex.json.variants.map((one: Variant) => [one.name, nameless(one)]);
      expect(byName).toEqual({
        status: 200,
        headers: { ...everyAnswer, etag },
        json: { version: 1, variants: Object.fromEntries(variants) },
      });
      expect(byName.headers.etag).toBe(byIndex.headers.etag);
    },
  );

  it.each(["by=", "by=names", "by=Name", "by=index&by=name"])(
    "with ?%s is refused with 400",
    async (query) => {
      const feature = await addFeature(burgee);

      expect(await send("GET", feature, { query })).toEqual(invalid());
      expect(await send("PATCH", feature, { query, json: [] })).toEqual(invalid());
    },
  );
});

describe("a patch by name", () => {
  it.each<[string, PatchOperation[], string[]]>([
    ["adds", [add("/red", { weight: 0 })], ["blue", "green", "red"]],
    ["removes", [remove("/green")], ["blue"]],
    ["renames", [move("/blue", "/azure")], ["azure", "green"]],
    ["clones", [copy("/blue", "/azure")], ["azure", "blue", "green"]],
    ["replaces all", [add("", { red: { weight: 1 } })], ["red"]],
    ["replaces one", [add("/blue", { weight: 0, stickiness: "userId" })], ["blue", "green"]],
    ["adds a name that is a number", [add("/0", { weight: 0 })], ["0", "blue", "green"]],
    ["adds a name with a tilde", [add("/~0x", { weight: 0 })], ["~x", "blue", "green"]],
  ])("%s", async (_, operations, names) => {
    const feature = await addFeature(burgee, { environments: { development: [blue, green] } });

    const { status, json } = await patch(feature, operations);

    const variants = await stored(feature);
    expect(status).toBe(200);
    expect(variants.map(({ name }) => name)).toEqual(names);
    expect(json.variants).toEqual(Object.fromEntries(variants.map((one) => [one.name, nameless(one)])));
    expect(variants.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
  });

  it("means the same variant in every environment, wherever it stands", async () => {
    const feature = await addFeature(burgee, { environments: diverged });

    const answer = await patch(feature, [replace("/green/stickiness", "userId")]);

    expect(answer.headers["burgee-environments"]).toBe("development=patched, production=patched");
    for (const environment of Object.keys(diverged)) {
      const changed = (await stored(feature, environment)).filter(
        ({ stickiness }) => stickiness === "userId",
      );
      expect(changed.map(({ name }) => name)).toEqual(["green"]);
    }
  });

  it("deals the weights in order of name", async () => {
    const feature = await addFeature(burgee, { environments: { development: [] } });

    await patch(feature, [add("", { c: { weight: 0 }, a: { weight: 0 }, b: { weight: 0 } })]);

    expect((await stored(feature)).map(({ name, weight }) => [name, weight])).toEqual([
      ["a", 334],
      ["b", 333],
      ["c", 333],
    ]);
  });

  it("keeps a variant that is named like a member of every object", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const variants = names.map((name) => variant(name, { weight: name === "__proto__" ? 334 : 333 }));
    const feature = await addFeature(burgee, { environments: { development: variants } });

    await patch(feature, [replace("/toString/stickiness", "userId")]);

    expect((await stored(feature)).map(({ name }) => name)).toEqual(names);
  });
});

describe("a patch by name is refused with 400, and nothing is stored,", () => {
  it.each<[string, unknown[], string[]]>([
    ["removes what is not there", [remove("/red")], ['there is no variant "red"']],
    ["replaces a member of what is not there", [replace("/red/weight", 1)], ['there is no variant "red"']],
    ["moves what is not there", [move("/red", "/azure")], ['there is no variant "red"']],
    ["replaces a member that is not there", [replace("/blue/payload", {})], ['there is no member "payload"']],
    ["leaves a list", [add("", [])], ["expected an object"]],
    ["leaves a number", [add("/red", 1)], ["/red must be an object"]],
    [
      "gives a variant a name",
      [add("/red", { name: "red", weight: 1 })],
      ["/red/name is not a known member"],
    ],
    ["gives a variant an unknown member", [add("/red", { weight: 1, colour: 1 })], ["/red/colour"]],
    ["gives a name that is not URL-friendly", [add("/a b", { weight: 1 })], ["/a b/name", "URL-friendly"]],
    ["leaves no variable weight", [replace("/blue/weightType", "fix"), remove("/green")], ["variable"]],
    ["addresses a prototype", [add("/__proto__", { weight: 1 })], ["__proto__"]],
    ["addresses a constructor", [replace("/constructor/weight", 1)], ["constructor"]],
  ])("when it %s", async (_, operations, words) => {
    const feature = await addFeature(burgee, { environments: { development: [blue, green] } });

    const answer = await patch(feature, operations as PatchOperation[]);

    expect(answer).toMatchObject({ status: 400, json: { message: naming(...words) } });
    expect(await stored(feature)).toEqual([blue, green]);
  });
});

describe("a dry run by name", () => {
  it("has variants and changes in the same form, which lead there when they are sent", async () => {
    const feature = await addFeature(burgee, { environments: diverged });
    const operations = [move("/blue", "/azure"), replace("/green/stickiness", "userId")];

    const { status, json } = await patch(feature, operations, { query: "by=name&dryRun=true" });
    const [, production] = json.environments;
    const sent = await patch(feature, production.changes, { environment: "production" });

    expect(status).toBe(200);
    expect(production).toMatchObject({ environment: "production", outcome: "patched" });
    expect(production.changes).toEqual([
      { op: "remove", path: "/blue" },
      { op: "add", path: "/azure", value: { weight: 333, weightType: "variable", stickiness: "default" } },
      { op: "replace", path: "/green/stickiness", value: "userId" },
    ]);
    expect(sent.json.variants).toEqual(production.variants);
  });
});

describe("a dry run that would fail", () => {
  const environments = { development: [blue, green], staging: [green], production: [blue, green] };
  const strict = { prefer: "handling=strict" };
  const operations = [replace("/blue/stickiness", "userId")];

  it("is a 200 with the failure as an outcome", async () => {
    const feature = await addFeature(burgee, { environments });

    const { status, json } = await patch(feature, operations, { query: "by=name&dryRun=true" });

    expect(status).toBe(200);
    expect(json.environments.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "patched",
      "failed",
      "patched",
    ]);
  });

  it("has the status and body of the patch itself with Prefer: handling=strict", async () => {
    const feature = await addFeature(burgee, { environments });

    const preview = await patch(feature, operations, { query: "by=name&dryRun=true", headers: strict });
    const before = await stored(feature);
    const real = await patch(feature, operations);

    expect(preview).toEqual({ ...real, json: { ...real.json, id: expect.any(String) } });
    expect(preview.status).toBe(400);
    expect(before).toEqual([blue, green]);
  });

  it.each([
    ['handling="strict"', true],
    ["respond-async, handling = strict; x=1", true],
    ["Handling=Strict", true],
    ["handling=lenient", false],
    ["strict", false],
  ])("understands Prefer: %s", async (prefer, isStrict) => {
    const feature = await addFeature(burgee, { environments });

    const { status } = await patch(feature, operations, {
      query: "by=name&dryRun=true",
      headers: { prefer },
    });

    expect(status).toBe(isStrict ? 400 : 200);
  });

  it("that succeeds says that the preference was applied", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });

    const { status, headers } = await patch(feature, operations, {
      query: "by=name&dryRun=true",
      headers: strict,
    });

    expect([status, headers["preference-applied"]]).toEqual([200, "handling=strict"]);
  });
});

it("an Idempotency-Key and If-Match work by name as by index", async () => {
  const feature = await addFeature(burgee, { environments: diverged });
  const { headers: read } = await send("GET", feature);
  const headers = { "idempotency-key": "one", "if-match": read.etag ?? "" };
  const operations = [add("/red", { weight: 0 })];

  const first = await patch(feature, operations, { headers });
  const retried = await patch(feature, operations, { headers });
  const late = await patch(feature, operations, { headers: { "if-match": read.etag ?? "" } });

  expect([first.status, retried.status, late.status]).toEqual([200, 200, 412]);
  expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
});
