/** The operation is not atomic: where it stopped, and what it left behind. */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { invalid, naming, patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue");
const sticky = variant("blue", { stickiness: "userId" });
const makeSticky = [add("/0/stickiness", "userId")];

async function stored(feature: string, environments: Readonly<Record<string, readonly Variant[]>>) {
  const items = Object.keys(environments).map((name) => burgee.storedEnvironment(feature, name));
  return (await Promise.all(items)).map(({ environment, variants, revision }) => [
    environment,
    variants,
    revision,
  ]);
}

describe("the first failure stops a patch", () => {
  it("environments before it stay patched, the failing one and those after it are untouched, and details tell each", async () => {
    const environments = { development: [blue], test: [sticky], staging: [], production: [blue] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, makeSticky);

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "test", outcome: "unchanged" },
      { environment: "staging", outcome: "failed", message: expect.any(String) },
      { environment: "production", outcome: "not attempted" },
    ];
    expect(answer).toEqual(invalid({ message: naming("staging"), details }));
    expect(await stored(feature, environments)).toEqual([
      ["development", [sticky], 2],
      ["test", [sticky], 1],
      ["staging", [], 1],
      ["production", [blue], 1],
    ]);
  });

  it("in the first environment nothing at all is patched", async () => {
    const environments = { development: [], production: [blue] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, makeSticky);

    const details = [
      { environment: "development", outcome: "failed", message: expect.any(String) },
      { environment: "production", outcome: "not attempted" },
    ];
    expect(answer).toEqual(invalid({ message: naming("development"), details }));
    expect(await stored(feature, environments)).toEqual([
      ["development", [], 1],
      ["production", [blue], 1],
    ]);
  });

  it("in the last environment all others stay patched", async () => {
    const environments = { development: [blue], production: [] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, makeSticky);

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "failed", message: expect.any(String) },
    ];
    expect(answer).toEqual(invalid({ message: naming("production"), details }));
    expect(await stored(feature, environments)).toEqual([
      ["development", [sticky], 2],
      ["production", [], 1],
    ]);
  });

  it("nothing is checked ahead: a later environment's fault does not hold an earlier one back", async () => {
    const environments = { development: [], production: [blue] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [add("/-", { name: "blue", weight: 0 })]);

    expect(answer).toEqual(
      invalid({
        message: naming("production", "unique"),
        details: [
          { environment: "development", outcome: "patched" },
          { environment: "production", outcome: "failed", message: naming("unique") },
        ],
      }),
    );
    expect(await stored(feature, environments)).toEqual([
      ["development", [blue], 2],
      ["production", [blue], 1],
    ]);
  });

  it("within an environment it is atomic: operations before the failing one leave nothing", async () => {
    const environments = { development: [blue] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [...makeSticky, replace("/0/payload", null)]);

    expect(answer.status).toBe(400);
    expect(await stored(feature, environments)).toEqual([["development", [blue], 1]]);
  });

  it("a half patched feature can be patched on: the next patch starts from what is stored", async () => {
    const environments = { development: [blue], production: [] };
    const feature = await addFeature(burgee, { environments });

    await burgee.patch(feature, makeSticky);
    const answer = await burgee.patch(feature, [add("", [sticky])]);

    expect(answer).toEqual(patchedTo([sticky]));
    expect(await stored(feature, environments)).toEqual([
      ["development", [sticky], 2],
      ["production", [sticky], 2],
    ]);
  });
});

describe("the message of a failure names the environment, the operation's index, op and path, and the reason", () => {
  it.each([
    ["add", { op: "add", path: "/7", value: 1 }, ["add", "/7", "out of range"]],
    ["remove", { op: "remove", path: "/0/payload" }, ["remove", "/0/payload", "there is no member"]],
    ["replace", { op: "replace", path: "/0/payload/type", value: "x" }, ["replace", "/0/payload/type"]],
    ["copy", { op: "copy", from: "/8", path: "/-" }, ["copy", "/8", "/-"]],
    ["move", { op: "move", from: "/0", path: "/0/name" }, ["move", "/0", "/0/name", "into itself"]],
  ])("%s", async (_, operation, words) => {
    const feature = await addFeature(burgee, { environments: { "the-first": [blue] } });

    const answer = await burgee.patch(feature, [...makeSticky, ...makeSticky, operation]);

    const details = [{ environment: "the-first", outcome: "failed", message: naming("2", ...words) }];
    expect(answer).toEqual(invalid({ message: naming("the-first", "2", ...words), details }));
  });

  it("of a result that is no list of variants it tells the place in the list", async () => {
    const feature = await addFeature(burgee, { environments: { "the-first": [blue] } });

    const answer = await burgee.patch(feature, [add("/-", { name: "amber", weight: -1 })]);

    const words = ["/1/weight", "0", "1000"];
    const details = [{ environment: "the-first", outcome: "failed", message: naming(...words) }];
    expect(answer).toEqual(invalid({ message: naming("the-first", ...words), details }));
  });
});
