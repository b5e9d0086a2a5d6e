/** A patch, its validation, its limits and its result through HTTP. Every rule: test/unit/contract, test/unit/features */
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import { detailsOf, invalid, issuesAt, naming, patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const half = { weight: 500 };
const payload = { type: "json", value: ' [1, {"a": null}] ' };
const amber = variant("amber", { ...half, payload });
const blue = variant("blue", half);
const environments = { development: [amber, blue], production: [amber, blue] };

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments });
});

it("a patch applies its operations in order, and stores every field of the result in each environment", async () => {
  const override = { contextName: "region", values: ["eu", "eu"] };

  const answer = await burgee.patchVariants(feature, [
    { ...remove("/1"), comment: "a member that RFC 6902 does not define" },
    add("/-", {}),
    add("/1/name", "green"),
    replace("/1", { name: "green", weight: 0, overrides: [] }),
    // Not shared by the environments.
    add("/1/overrides/-", override),
    copy("/0", "/-"),
    replace("/2/name", "azure"),
    move("/0/payload", "/1/payload"),
  ]);

  const thirds = [
    variant("amber", { weight: 334 }),
    variant("azure", { weight: 333, payload }),
    variant("green", { weight: 333, payload, overrides: [override] }),
  ];
  expect(answer).toEqual(
    patchedTo(thirds, { hint: 'development: The weight 500 of variant "azure" has no effect' }),
  );
  for (const environment of Object.keys(environments)) {
    expect((await burgee.storedEnvironment(feature, environment)).variants).toEqual(thirds);
  }
});

const first = replace("/0/stickiness", "userId");

it.each<[string, PatchOperation[], words: string[], issues?: unknown]>([
  [
    "a path that cannot be followed",
    [first, copy("/1/payload/value", "/0/stickiness")],
    ["operation 1", "copy /1/payload/value to /0/stickiness"],
  ],
  ["a path by name", [add("/red", { weight: 0 })], ['"red" is not an index of a list; names need ?by=name']],
  [
    "a path by name into a variant",
    [replace("/blue/weight", 0)],
    ['"blue" is not an index of a list; names need ?by=name'],
  ],
  [
    "the name of another variant",
    [add("/-", { name: "blue", weight: 0 })],
    ["/2/name", "unique"],
    issuesAt("/2/name"),
  ],
  ["no variable variant", [replace("/0/weightType", "fix"), replace("/1/weightType", "fix")], ["variable"]],
])(
  "a patch returns 400 that names the environment, and writes nothing, for %s",
  async (_, patch, words, issues) => {
    const failed = { message: naming(...words), issues };
    const details = detailsOf({ development: failed, production: "not attempted" });
    expect(await burgee.patchVariants(feature, patch)).toEqual(
      invalid({ message: naming("development", ...words), details }),
    );
    expect(burgee.writes()).toEqual([]);
  },
);

it("a misspelt member is named first, and every issue is in the environment's detail", async () => {
  const misspelt = [add("/x", { wieght: 2000, payload: {} })];

  const { json } = await burgee.patchVariants(feature, misspelt, { query: "by=name" });
  const dry = await burgee.patchVariants(feature, misspelt, { query: "by=name&dryRun=true" });

  expect(json.message).toBe(
    'environment "development": the patched variants are invalid: /x/wieght is not a known member (and 3 more issues)',
  );
  const issues = issuesAt("/x/wieght", "/x/weight", "/x/payload/type", "/x/payload/value");
  for (const detail of [json.details[0], dry.json.environments[0]]) {
    expect(detail).toMatchObject({ environment: "development", outcome: "failed", issues });
  }
});

it("a body that is no patch returns 400 with a JSON Pointer for each issue, before its feature is read", async () => {
  const answer = await burgee.patchVariants("missing", [
    { op: "add", path: "0" },
    { op: "test", path: "/0", value: 1 },
    { op: "copy", path: "/0", from: "/~2" },
    "remove /0",
    { op: "add", path: "/constructor", value: { prototype: 1 } },
  ]);

  const places = ["/4/value/prototype", "/0/path", "/0/value", "/1/op", "/2/from", "/3", "/4/path"];
  expect(answer).toEqual(invalid({ details: issuesAt(...places) }));
  expect(await burgee.patchVariants("missing", remove("/0"))).toEqual(invalid({ details: issuesAt("") }));
});

const large = (name: string, bytes: number, rest = {}) =>
  variant(name, { payload: { type: "string", value: "x".repeat(bytes) }, ...rest });

describe("a patch has at most 1,000 operations:", () => {
  it("1,000 are accepted", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patchVariants(feature, [
      add("/-", { name: "blue", weight: 0 }),
      ...times(999, (index) => replace("/0/name", `blue-${index}`)),
    ]);

    expect(answer).toEqual(patchedTo([variant("blue-998")]));
  });

  it("1,001 are refused with 400 that names the limit", async () => {
    const patch = times(1001, () => replace("/0/name", "blue"));

    const answer = await burgee.patchVariants("missing", patch);

    expect(answer).toEqual(invalid({ message: naming("1000"), details: issuesAt("") }));
  });
});

describe("an environment whose variants would take more than 190 KiB", () => {
  it("fails after another that has room, in a dry run as well", async () => {
    const environments = { development: [], production: [large("blue", 150_000)] };
    const feature = await addFeature(burgee, { environments });
    const patch = [add("/-", large("red", 50_000))];

    const dry = await burgee.patchVariants(feature, patch, { dryRun: true });
    const real = await burgee.patchVariants(feature, patch);

    const failed = { message: naming("190 KiB") };
    const details = detailsOf({ development: "patched", production: failed });
    expect(dry.json.environments).toMatchObject([
      { outcome: "would patch" },
      { outcome: "failed", ...failed },
    ]);
    expect(real).toEqual(invalid({ message: naming("production", "190 KiB"), details }));
    expect(await burgee.names(feature)).toEqual(["red"]);
    expect(await burgee.names(feature, "production")).toEqual(["blue"]);
  });

  it("is stored when it just fits", async () => {
    const feature = await addFeature(burgee, { environments: { development: [large("blue", 100_000)] } });

    const answer = await burgee.patchVariants(feature, [add("/-", large("red", 94_000))]);

    const half = { weight: 500 };
    const hint = 'development: The weight 1000 of variant "red" has no effect';
    expect(answer).toEqual(patchedTo([large("blue", 100_000, half), large("red", 94_000, half)], { hint }));
  });

  it.each([7700, 2400])(
    "is stored beside a change of %i wide characters, with the longest names",
    async (count) => {
      const longest = (letter: string) => letter.repeat(limits.nameBytes);
      const [name, project, environment] = [
        `${count}`.padEnd(limits.nameBytes, "f"),
        longest("p"),
        longest("e"),
      ];
      const wide = large("wide", 0, { payload: { type: "string", value: "語".repeat(count) } });
      await addFeature(burgee, { name, project, environments: { [environment]: [wide] } });
      const headers = { "burgee-reason": encodeURIComponent("語".repeat(limits.reasonLength)) };
      const replaceBy = (letter: string) => [replace("", [large(letter, limits.contentBytes - 87)])];

      const answers = [
        await burgee.patchVariants(name, replaceBy("a"), { project, headers }),
        await burgee.patchVariants(name, replaceBy("b"), { project, headers }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    },
  );
});

it("a patch that is too large halfway, and small at its end, is applied", async () => {
  const feature = await addFeature(burgee, { environments: { development: [large("blue", 180_000)] } });
  const copies = times(3, (index) => [copy("/0", "/-"), replace(`/${index + 1}/name`, `blue-${index}`)]);
  const removals = times(3, () => remove("/1"));

  const answer = await burgee.patchVariants(feature, [...copies.flat(), ...removals, remove("/0/payload")]);

  expect(answer).toEqual(patchedTo([variant("blue")]));
});
