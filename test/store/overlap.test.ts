/** Under concurrency no acknowledged write is lost, and none is done twice. */
import { expect, it } from "vitest";
import type { Tag } from "../../lib/contract/tags.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, tag } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";

const environments = { development: [], staging: [], production: [] };

const burgee = useBurgee();

const adding = (name: string) => [add("/-", { name, weight: 1 })];
const numbered = (prefix: string, count: number) =>
  times(count, (number) => `${prefix}-${String(number).padStart(3, "0")}`);

it("50 concurrent patches that each add a variant are all acknowledged, and all present in 3 environments", async () => {
  const feature = await addFeature(burgee, { environments });
  const names = numbered("variant", 50);

  const answers = await Promise.all(
    names.map((name) => burgee.patch(feature, adding(name), { timeoutMs: 60_000 })),
  );

  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const environment of Object.keys(environments)) {
    const { variants, revision } = await burgee.storedEnvironment(feature, environment);
    expect(variants.map(({ name }) => name)).toEqual(names);
    expect(variants.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
    expect(revision).toBe(1 + names.length);
  }
}, 60_000);

it("100 concurrent tag updates lose none", async () => {
  const feature = await addFeature(burgee);
  const tags = numbered("team", 100).map((value) => tag(value));

  const answers = await Promise.all(
    tags.map((one) => burgee.putTags(feature, { addedTags: [one], removedTags: [] })),
  );

  expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 201));
  expect((await burgee.getTags(feature)).json.tags).toEqual(tags);
});

it("an update of tags is seen whole or not at all by concurrent ones", async () => {
  const feature = await addFeature(burgee);

  const answers = await Promise.all(
    numbered("pair", 30).map((pair) =>
      burgee.putTags(feature, { addedTags: [tag(pair, "left"), tag(pair, "right")], removedTags: [] }),
    ),
  );

  for (const { json } of answers) {
    const valuesOf = (side: string) =>
      json.tags.filter(({ type }: Tag) => type === side).map(({ value }: Tag) => value);
    expect(valuesOf("left")).toEqual(valuesOf("right"));
  }
});

it("returns 409 when write conflicts last until the deadline, and stores nothing in that environment", async () => {
  const feature = await addFeature(burgee, { environments });
  let others = 0;
  burgee.wire.decideWrites(async (_, { input }): Promise<Fate> => {
    if (JSON.stringify(input).includes('"green"')) await burgee.patch(feature, adding(`other-${others++}`));
    return "pass";
  });

  const { status, json } = await burgee.patch(feature, adding("green"), { timeoutMs: 1500 });

  burgee.wire.reset();
  expect(status).toBe(409);
  expect(json).toMatchObject({ name: "ConflictError", message: expect.stringContaining("development") });
  expect(json.details).toMatchObject(
    ["failed", "not attempted", "not attempted"].map((outcome) => ({ outcome })),
  );
  const names = await burgee.names(feature);
  expect(names).not.toContain("green");
  expect(names).toHaveLength(others);
});
