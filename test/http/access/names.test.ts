/** A name reaches the items of exactly this name, however alike another is, and by whichever route. */
import { beforeAll, describe, expect, it } from "vitest";
import { notFound, patchedTo, tagged } from "../../support/answers.ts";
import { eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [tag("old")] };
const patch = [add("/-", { name: "green", weight: 0 })];
const seed = {
  tags: [tag("old")],
  environments: { development: [variant("blue")], production: [variant("blue")] },
};

const burgee = useBurgee();
let before: unknown[];
beforeAll(async () => {
  await addFeature(burgee, { name: "flag", ...seed });
  before = await everything();
});

const similar: [string, string][] = [
  ["with a slash", "flag/"],
  ["with a zero", "flag\u0000"],
  ["with the kind of its key", "FEATURE#flag"],
  ["with the key of its environment", "flag#ENVIRONMENT#development"],
  ["in full width", "\uff46\uff4c\uff41\uff47"],
  ["with a zero-width space", "fl\u200bag"],
  ["in another letter case", "FLAG"],
  ["with a space before", " flag"],
  ["with a space after", "flag "],
  ["encoded twice", "fl%61g"],
];

describe("a name that is like a feature's or an environment's is not found on any route", () => {
  it.each([
    ...similar,
    ["of the feature's own item", "FEATURE"],
    ["of the environment's key", "ENVIRONMENT#development"],
  ])("%s", async (_, name) => {
    const environment = name.replace("flag", "development");
    const answers = await Promise.all([
      burgee.getTags(name),
      burgee.putTags(name, update),
      burgee.getVariants(name),
      burgee.patchVariants(name, patch),
      burgee.getVariants(name, { environment: "development" }),
      burgee.patchVariants(name, patch, { environment: "development" }),
      burgee.getVariants("flag", { environment }),
      burgee.patchVariants("flag", patch, { environment }),
      burgee.patchVariants("flag", patch, { environment, dryRun: true }),
    ]);

    expect(answers).toEqual(Array(9).fill(notFound()));
    expect(await everything()).toEqual(before);
  });
});

it("a name with a lone surrogate, which would be stored as another character, is not found", async () => {
  const featureName = "flag\ud800";
  await addFeature(burgee, { name: featureName.toWellFormed(), ...seed });
  const put = eventOf({ method: "PUT", path: tagsPath("x"), json: update });
  const patched = eventOf({ method: "PATCH", path: variantsPath("x"), json: patch });

  const answers = [
    await burgee.deliver("tags", { ...put, pathParameters: { featureName } }),
    await burgee.deliver("variants", {
      ...patched,
      pathParameters: { ...patched.pathParameters, featureName },
    }),
  ];

  expect(answers).toEqual([notFound(), notFound()]);
});

it("a change of a feature that is named like another's item leaves the other as it was", async () => {
  await addFeature(burgee, { name: "flag#ENVIRONMENT#production", project: "lookalikes" });

  await burgee.putTags("flag#ENVIRONMENT#production", update);
  await burgee.patchVariants("flag#ENVIRONMENT#production", patch, { project: "lookalikes" });

  expect(await burgee.names("flag#ENVIRONMENT#production")).toEqual(["green"]);
  expect(await everything()).toEqual(before);
});

it("an environment may be named with the separator of keys", async () => {
  const feature = await addFeature(burgee, { project: "odd", environments: { FEATURE: [], "a#b/c": [] } });

  expect(await burgee.patchVariants(feature, patch, { project: "odd" })).toEqual(
    patchedTo([variant("green")]),
  );
  expect(await burgee.names(feature, "a#b/c")).toEqual(["green"]);
});

it("a name may be as long as a key of the table can hold, and no feature or project has a longer one", async () => {
  const name = await addFeature(burgee, { name: "y".repeat(1000) });

  expect(await burgee.putTags(name, update)).toEqual(tagged(name, update.addedTags));
  expect(await burgee.patchVariants(name, patch)).toEqual(patchedTo([variant("green")]));
  for (const long of ["x".repeat(1001), "é".repeat(501), "x".repeat(100_000)]) {
    expect(await burgee.putTags(long, update)).toEqual(notFound());
    expect(await burgee.putTags(long, { addedTags: [], removedTags: [] })).toEqual(notFound());
    expect(await burgee.patchVariants(long, patch)).toEqual(notFound());
    expect(await burgee.patchVariants("any", patch, { project: long })).toEqual(notFound());
  }
});

async function everything(feature = "flag") {
  return [
    await burgee.storedFeature(feature),
    await burgee.storedEnvironment(feature, "development"),
    await burgee.storedEnvironment(feature, "production"),
  ];
}
