import { describe, expect, it } from "vitest";
import type { Permission, Permit } from "../../lib/contract/permissions.ts";
import { naming, noAccess, tagged } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { addFeature, tag } from "../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };

const permit = (permission: Permission, scope: Omit<Permit, "permission"> = {}): Permit => ({
  permission,
  ...scope,
});

const burgee = useBurgee();

describe("a tag update needs UPDATE_FEATURE in the feature's project, which is granted by", () => {
  it.each<[string, Permit[]]>([
    ["UPDATE_FEATURE everywhere", [permit("UPDATE_FEATURE")]],
    ["UPDATE_FEATURE in the project", [permit("UPDATE_FEATURE", { project: "default" })]],
    [
      "UPDATE_FEATURE in several projects, this among them",
      ["other", "default"].map((project) => permit("UPDATE_FEATURE", { project })),
    ],
    ["ADMIN everywhere", [permit("ADMIN")]],
    ["ADMIN in the project", [permit("ADMIN", { project: "default" })]],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.putTags(feature, update, { key });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
  });
});

describe("a tag update is refused with 403, a message that names UPDATE_FEATURE, and no change, to a key with", () => {
  it.each<[string, Permit[]]>([
    ["no permission", []],
    ["UPDATE_FEATURE in another project", [permit("UPDATE_FEATURE", { project: "other" })]],
    ["ADMIN in another project", [permit("ADMIN", { project: "other" })]],
    [
      "another permission",
      [permit("UPDATE_FEATURE_VARIANTS"), permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")],
    ],
    [
      "UPDATE_FEATURE in an environment only",
      [permit("UPDATE_FEATURE", { project: "default", environment: "development" })],
    ],
    ["ADMIN in an environment only", [permit("ADMIN", { environment: "development" })]],
    ["UPDATE_FEATURE in the project in another case", [permit("UPDATE_FEATURE", { project: "Default" })]],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee, { tags: [tag("kept")] });
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.putTags(feature, update, { key });
    const empty = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, { key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE") }));
    expect(empty).toEqual(noAccess({ message: naming("UPDATE_FEATURE") }));
    const after = await burgee.putTags(feature, { addedTags: [], removedTags: [] });
    expect(after).toEqual(tagged(feature, [tag("kept")]));
  });
});
