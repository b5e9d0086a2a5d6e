/** The text of a body: what JSON has that JavaScript or DynamoDB cannot hold is refused, never changed silently. */
import { describe, expect, it } from "vitest";
import {
  faultsAt,
  invalid,
  naming,
  patchedTo,
  refusedInDevelopment,
  tagged,
  unchanged,
} from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();

async function sendBoth(body: string | undefined) {
  const options = body === undefined ? {} : { body };
  return [await burgee.putTags("any", undefined, options), await burgee.patch("any", undefined, options)];
}

it.each([
  ["no body", undefined],
  ["an empty body", ""],
  ["two byte-order marks", "\uFEFF\uFEFF[]"],
  ["an open list", "["],
  ["NaN", "NaN"],
])("%s is not JSON and returns 400", async (_, body) => {
  expect(await sendBoth(body)).toEqual([invalid(), invalid()]);
});

describe("nesting", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  /** In a member that is ignored: the list of the patch, the operation, and these. */
  const patch = (levels: number) => ({
    body: `[{"op":"copy","from":"","path":"","note":${nested(levels)}}]`,
  });

  it("of 32 levels is accepted, and of 33 returns 400 that names the limit", async () => {
    const feature = await addFeature(burgee);

    const accepted = await burgee.patch(feature, undefined, patch(30));
    const tooDeep = await burgee.patch(feature, undefined, patch(31));

    const details = faultsAt(`/0/note${"/0".repeat(30)}`);
    expect(accepted).toEqual(unchanged([], "development", "production"));
    expect(tooDeep).toEqual(invalid({ message: naming("32"), details }));
  });

  it("of 100,000 levels returns 400", async () => {
    const refusal = (other: string) =>
      invalid({ message: naming("32"), details: faultsAt("/0".repeat(32), other) });

    expect(await sendBoth(nested(100_000))).toEqual([refusal(""), refusal("/0")]);
  });

  it("is reported together with the other faults of the body", async () => {
    const body = `{"addedTags":${nested(40)},"removedTags":["\\ud83d"],"more":1}`;
    const paths = [`/addedTags${"/0".repeat(31)}`, "/removedTags/0", "/addedTags/0", "/more"];

    expect(await burgee.putTags("any", undefined, { body })).toEqual(
      invalid({ message: naming("32"), details: faultsAt(...paths) }),
    );
  });
});

it("at most 100 issues are listed, of the JSON and of the schema together", async () => {
  const tags = (value: string) => times(100, () => `{"type":"simple","value":"${value}"}`).join();
  const body = `{"addedTags":[${tags("team\\ud83d")}],"removedTags":[${tags("x")}]}`;

  expect((await burgee.putTags("any", undefined, { body })).json.details).toHaveLength(100);
});

describe("a lone surrogate returns 400", () => {
  it("in a tag", async () => {
    const body = '{"addedTags":[{"type":"simple","value":"team\\ud83d"}],"removedTags":[]}';

    const answer = await burgee.putTags("any", undefined, { body });

    expect(answer).toEqual(invalid({ details: faultsAt("/addedTags/0/value") }));
  });

  it.each([
    [
      "a variant",
      '[{"op":"add","path":"/-","value":{"name":"blue","weight":0,"stickiness":"\\ud83d"}}]',
      "/0/value/stickiness",
    ],
    ["the name of a member", '[{"op":"remove","path":"/0","\\ud83d":1}]', "/0"],
  ])("in %s", async (_, body, place) => {
    const answer = await burgee.patch("any", undefined, { body });

    expect(answer).toEqual(invalid({ details: faultsAt(place) }));
  });

  it.each([
    ["a member's name has one", '[{"op":"add","path":"","value":{"\\ud83d":"\\ud83d"}}]'],
    ["an operation that is quoted has one at its limit", `[{"op":"remove","path":"/${"a".repeat(118)}😀"}]`],
    ["an index that is quoted has one at its limit", `[{"op":"remove","path":"/${"a".repeat(59)}😀"}]`],
  ])("and is in no response: %s", async (_, body) => {
    const feature = await addFeature(burgee);

    const { status, json } = await burgee.patch(feature, undefined, { body });

    expect([status, JSON.stringify(json)]).toEqual([400, expect.not.stringMatching(/\\ud/)]);
  });

  it("but not with its other half", async () => {
    const feature = await addFeature(burgee);
    const body = '{"addedTags":[{"type":"simple","value":"\\ud83d\\ude00!"}],"removedTags":[]}';

    expect(await burgee.putTags(feature, undefined, { body })).toEqual(tagged(feature, [tag("😀!")]));
  });
});

describe("a member that stands twice counts with its last value", () => {
  it("in a tag update", async () => {
    const feature = await addFeature(burgee);
    const lists = ["first", "last"].map((value) => `"addedTags":[{"type":"simple","value":"${value}"}]`);
    const body = `{${lists.join(',"removedTags":[],')}}`;

    expect(await burgee.putTags(feature, undefined, { body })).toEqual(tagged(feature, [tag("last")]));
  });

  it("in an operation", async () => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
    const body = '[{"op":"remove","path":"/0","op":"replace","path":"/0/stickiness","value":"userId"}]';

    expect(await burgee.patch(feature, undefined, { body })).toEqual(
      patchedTo([variant("blue", { stickiness: "userId" })]),
    );
  });
});

describe("a weight", () => {
  const body = (weight: string) =>
    `[{"op":"add","path":"/-","value":{"weightType":"fix","name":"green","weight":${weight}}}]`;

  it.each([
    ["infinite", "1e999"],
    ["beyond the safe integers", "9007199254740993"],
    ["of 100,000 digits", "9".repeat(100_000)],
  ])("that is %s is refused", async (_, weight) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, undefined, { body: body(weight) });

    expect(answer).toEqual(refusedInDevelopment("/0/weight"));
    expect(burgee.writes()).toEqual([]);
  });

  it.each([
    ["-0", "-0"],
    ["1e-999", "1e-999"],
  ])("is zero however it is written: %s", async (_, weight) => {
    const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });

    const answer = await burgee.patch(feature, undefined, { body: body(weight) });

    const green = variant("green", { weight: 0, weightType: "fix" });
    expect(answer).toEqual(patchedTo([variant("blue"), green]));
    const { variants } = await burgee.storedEnvironment(feature, "development");
    expect(Object.is(variants[1]?.weight, 0)).toBe(true);
  });
});
