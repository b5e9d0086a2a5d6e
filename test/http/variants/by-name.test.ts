/** `?by=name`: the variants as an object keyed by name. */
import { beforeEach, describe, expect, it } from "vitest";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { everyAnswer, invalid, naming, withVariantsByName } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue", { weight: 500 });
const green = variant("green", { weight: 500 });
const nameless = ({ name: _, ...rest }: Variant) => rest;
const keyed = (variants: Variant[]) => Object.fromEntries(variants.map((one) => [one.name, nameless(one)]));
const byName = { query: "by=name" };
const third = { weight: 333 };

/** Production has another order, and one variant more. */
const diverged = {
  development: [blue, green],
  production: [variant("amber", { weight: 334 }), variant("blue", third), variant("green", third)],
};

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments: diverged });
});

it.each([{}, { environment: "production" }])(
  "a read by name has the same variants and ETag as by index: %j",
  async (place) => {
    const { json, headers } = await burgee.getVariants(feature, { ...place, query: "by=index" });

    expect(await burgee.getVariants(feature, { ...place, ...byName })).toEqual({
      status: 200,
      headers: { ...everyAnswer, etag: headers.etag },
      json: withVariantsByName(keyed(json.variants)),
    });
  },
);

it.each(["by=", "by=Name", "by=index&by=name"])("?%s returns 400", async (query) => {
  expect(await burgee.getVariants(feature, { query })).toEqual(invalid());
  expect(await burgee.patchVariants(feature, [], { query })).toEqual(invalid());
});

describe("a patch by name", () => {
  it("adds, renames, clones and changes in every environment, whatever the index", async () => {
    const { headers, json } = await burgee.patchVariants(
      feature,
      [
        replace("/green/stickiness", "userId"),
        copy("/green", "/teal"),
        move("/blue", "/azure"),
        // Neither an index nor a member of every object.
        ...["/0", "/~0x", "/toString"].map((path) => add(path, { weight: 0 })),
      ],
      byName,
    );

    expect(headers["burgee-environments"]).toBe("development=patched, production=patched");
    const { variants } = await burgee.storedEnvironment(feature, "development");
    expect(json.variants).toEqual(keyed(variants));
    expect(variants.map(({ name }) => name)).toEqual(["~x", "0", "azure", "green", "teal", "toString"]);
    for (const environment of Object.keys(diverged)) {
      const stored = await burgee.storedEnvironment(feature, environment);
      const changed = stored.variants.filter(({ stickiness }) => stickiness === "userId");
      expect(changed.map(({ name }) => name)).toEqual(["green", "teal"]);
    }
  });

  it("normalises the weights in order of name", async () => {
    const feature = await addFeature(burgee, { environments: { development: [] } });
    const variants = { c: { weight: 0 }, a: { weight: 0 }, b: { weight: 0 } };

    const { json } = await burgee.patchVariants(feature, [add("", variants)], byName);

    expect(json.variants).toMatchObject({ a: { weight: 334 }, b: third, c: third });
  });

  it("has a variant named __proto__ that was added by index, beside others, also in its list of changes", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue, green] } });
    await burgee.patchVariants(feature, [add("/-", { name: "__proto__", weight: 0 })]);
    await burgee.patchVariants(feature, [replace("/blue/stickiness", "userId")], byName);

    const { variants } = await burgee.storedEnvironment(feature, "development");
    const { json, headers } = await burgee.patchVariants(feature, [remove("/green")], byName);
    const listed = (await burgee.getChanges(feature)).json;
    const undone = await burgee.undo(feature, headers["burgee-change"] ?? "");

    expect(Object.keys(json.variants)).toEqual(["__proto__", "blue"]);
    expect(listed.changes[2].environments[0].difference).toContainEqual(
      add("/variants/__proto__", { ...nameless(blue), weight: 333 }),
    );
    expect(undone.json.variants).toEqual(variants);
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "a variant named %s, added by index, stays through a patch of all that an environment has",
    async (name) => {
      const feature = await addFeature(burgee, { environments: { development: [blue] } });
      const place = { environment: "development" };
      await burgee.patchVariants(feature, [add("/-", { name, weight: 0 })]);
      const strategy = { name: "default", variants: [{ name, weight: 1000, stickiness: "default" }] };
      const path = `/api/admin/projects/default/features/${feature}/environments/development/strategies`;
      expect(await burgee.send({ method: "POST", path, json: { id: "s1", ...strategy } })).toMatchObject({
        status: 200,
      });
      const patch = [
        replace("/enabled", true),
        add("/variants/red", { weight: 1 }),
        replace("/strategies/s1/sortOrder", 7),
      ];

      const { status, json } = await burgee.patchFeature(feature, patch, place);

      expect([status, json.details]).toEqual([200, undefined]);
      const [stored] = (await burgee.getFeature(feature)).json.environments;
      expect(stored.variants.map((each: Variant) => each.name).sort()).toEqual([name, "blue", "red"].sort());
      expect(stored.strategies).toMatchObject([{ sortOrder: 7, variants: [{ name }] }]);
    },
  );

  it.each<[string, PatchOperation[], string[]]>([
    ["removes what is not there", [remove("/red")], ['there is no variant "red"']],
    ["removes a member that is not there", [remove("/blue/payload")], ['there is no member "payload"']],
    ["leaves a list", [add("", [])], ["it must be an object"]],
    [
      "names a variant inside",
      [add("/red", { name: "red", weight: 1 })],
      ["/red/name is not a known member"],
    ],
    ["gives a name that is not URL-friendly", [add("/a b", { weight: 1 })], ["/a b", "URL-friendly"]],
  ])("returns 400, and writes nothing, when it %s", async (_, operations, words) => {
    const feature = await addFeature(burgee, { environments: { development: [blue, green] } });

    const answer = await burgee.patchVariants(feature, operations, byName);

    expect(answer).toMatchObject({ status: 400, json: { message: naming(...words) } });
    expect(burgee.writes()).toEqual([]);
  });
});
