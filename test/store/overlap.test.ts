/** Many callers at once: none is refused, and no acknowledged write is lost. Every schedule of a few callers: test/explore */
import { expect, it } from "vitest";
import type { Tag } from "../../lib/contract/tags.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, tag } from "../support/seed.ts";

const environments = { development: [], production: [] };

const burgee = useBurgee();

const adding = (name: string) => [add("/-", { name, weight: 1 })];
const numbered = (prefix: string, count: number) =>
  times(count, (number) => `${prefix}-${String(number).padStart(3, "0")}`);

it("25 concurrent patches that each add a variant are all acknowledged, and all present in both environments", async () => {
  const feature = await addFeature(burgee, { environments });
  const names = numbered("variant", 25);

  const answers = await Promise.all(
    names.map((name) => burgee.patch(feature, adding(name), { remainingMs: 60_000 })),
  );

  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const environment of Object.keys(environments)) {
    expect(await burgee.names(feature, environment)).toEqual(names);
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 26 });
  }
}, 60_000);

it("50 concurrent tag updates lose none, and each is seen whole or not at all", async () => {
  const feature = await addFeature(burgee);
  const values = numbered("pair", 50);

  const answers = await Promise.all(
    values.map((value) =>
      burgee.putTags(feature, { addedTags: [tag(value, "left"), tag(value, "right")], removedTags: [] }),
    ),
  );

  const valuesOf = (tags: Tag[], side: string) =>
    tags.filter(({ type }) => type === side).map(({ value }) => value);
  for (const { json } of answers) expect(valuesOf(json.tags, "left")).toEqual(valuesOf(json.tags, "right"));
  const { json } = await burgee.getTags(feature);
  expect(json.tags).toEqual(["left", "right"].flatMap((side) => values.map((value) => tag(value, side))));
});
