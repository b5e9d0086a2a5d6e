/** A patch of several environments is not atomic: where it stopped, and what it left behind. */
import { describe, expect, it } from "vitest";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { environmentKey } from "../../../lib/store/items.ts";
import { invalid, naming, patchedTo, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const burgee = useBurgee();

const blue = variant("blue");
const sticky = variant("blue", { stickiness: "userId" });
const makeSticky = [add("/0/stickiness", "userId")];

async function stored(feature: string, environments: object) {
  const items = Object.keys(environments).map((name) => burgee.storedEnvironment(feature, name));
  return (await Promise.all(items)).map(({ variants, revision }) => ({ variants, revision }));
}

describe("the first failure stops a patch:", () => {
  it.each<[string, Record<string, Variant[]>, PatchOperation[], outcomes: string[]]>([
    [
      "earlier environments stay patched, later ones are not attempted",
      { development: [blue], test: [sticky], staging: [], production: [blue] },
      makeSticky,
      ["patched", "unchanged", "failed", "not attempted"],
    ],
    [
      "a later environment is not validated before an earlier one is written",
      { development: [], production: [sticky] },
      [add("/-", sticky)],
      ["patched", "failed"],
    ],
    [
      "operations before the failing one change nothing in its environment",
      { development: [blue] },
      [...makeSticky, replace("/0/payload", "none")],
      ["failed"],
    ],
  ])("%s", async (_, environments, patch, outcomes) => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, patch);

    const names = Object.keys(environments);
    const details = outcomes.map((outcome, at) => ({
      environment: names[at],
      outcome,
      ...(outcome === "failed" && { message: expect.any(String) }),
    }));
    const message = naming(names[outcomes.indexOf("failed")] ?? "");
    expect(answer).toEqual(invalid({ message, details }));
    expect(await stored(feature, environments)).toEqual(
      Object.values(environments).map((variants, at) =>
        outcomes[at] === "patched" ? { variants: [sticky], revision: 2 } : { variants, revision: 1 },
      ),
    );
  });

  it("the next patch starts from what is stored", async () => {
    const environments = { development: [blue], production: [] };
    const feature = await addFeature(burgee, { environments });

    await burgee.patch(feature, makeSticky);
    const answer = await burgee.patch(feature, [add("", [sticky])]);

    expect(answer).toEqual(patchedTo([sticky], "development=unchanged, production=patched"));
    expect(await stored(feature, environments)).toEqual(Array(2).fill({ variants: [sticky], revision: 2 }));
  });
});

it("a patch returns 404 when its first environment is deleted before it is written", async () => {
  const feature = await addFeature(burgee, { environments: { development: [blue], production: [blue] } });
  burgee.wire.decideWrites(async (): Promise<Fate> => {
    await burgee.remove(environmentKey(feature, "development"));
    return "pass";
  });

  const answer = await burgee.patch(feature, makeSticky);

  const words = ["was deleted", "nothing was written"];
  const details = [
    { environment: "development", outcome: "failed", message: naming(...words) },
    { environment: "production", outcome: "not attempted" },
  ];
  expect(answer).toEqual(
    refused(404, "NotFoundError", { message: naming("development", ...words), details }),
  );
});
