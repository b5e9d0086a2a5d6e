/** Several permissions together, and what a 403 says. Each permission in every scope: access.test.ts */
import { describe, expect, it } from "vitest";
import type { Permission, Permit } from "../../../lib/contract/permissions.ts";
import { naming, noAccess, patchedTo, tagged, unchanged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const patch = [add("/-", { name: "blue", weight: 0 })];
const update = { addedTags: [tag("team")], removedTags: [] };
const noTags = { addedTags: [], removedTags: [] };

const permit = (permission: Permission, scope: Omit<Permit, "permission"> = {}): Permit => ({
  permission,
  ...scope,
});
const inProject = permit("UPDATE_FEATURE_VARIANTS");
const inEnvironment = (environment: string, project = "default") =>
  permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });
const adminIn = (environment: string) => permit("ADMIN", { project: "default", environment });

const burgee = useBurgee();

describe("a variant patch is applied with", () => {
  it.each<[string, Permit[]]>([
    [
      "both permissions in the project",
      [
        permit("UPDATE_FEATURE_VARIANTS", { project: "default" }),
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project: "default" }),
      ],
    ],
    [
      "the environments' permission in each environment by itself",
      [inProject, inEnvironment("development"), inEnvironment("production")],
    ],
    [
      "ADMIN in each environment, and the project's permission",
      [inProject, adminIn("development"), adminIn("production")],
    ],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    expect(await burgee.patch(feature, patch, { key })).toEqual(patchedTo([variant("blue")]));
  });

  it("the permission in the feature's environments: others of the project do not count", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));
    const inOne = await addFeature(burgee, { environments: { development: [] } });
    const inNone = await addFeature(burgee, { environments: {} });

    expect(await burgee.patch(inOne, patch, { key })).toEqual(patchedTo([variant("blue")]));
    expect(await burgee.patch(inNone, patch, { key })).toEqual(unchanged([]));
  });
});

describe("a variant patch returns 403 with a message that names", () => {
  it.each<[string, Permit[]]>([
    ["the environments' permission alone", [permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")]],
    ["ADMIN in each environment, but not in the project", [adminIn("development"), adminIn("production")]],
  ])("UPDATE_FEATURE_VARIANTS, and writes nothing, with %s", async (_, permits) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_VARIANTS") }));
    expect(burgee.writes()).toEqual([]);
  });

  it.each<[string, Permit[], string[]]>([
    ["the project's permission alone", [inProject], ["development", "production"]],
    [
      "UPDATE_FEATURE as well",
      [inProject, permit("UPDATE_FEATURE"), inEnvironment("development")],
      ["production"],
    ],
    ["the first environment's alone", [inProject, inEnvironment("development")], ["production"]],
    ["the last environment's alone", [inProject, inEnvironment("production")], ["development"]],
    [
      "the environment of another project",
      [inProject, inEnvironment("development"), inEnvironment("production", "other")],
      ["production"],
    ],
    ["ADMIN in one environment", [inProject, adminIn("production")], ["development"]],
  ])("each forbidden environment, and writes to none, with %s", async (_, permits, environments) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const messages = environments.map((name) => naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", name));
    const refusal = noAccess({ message: messages[0], details: messages.map((message) => ({ message })) });
    expect(await burgee.patch(feature, patch, { key })).toEqual(refusal);
    expect(await burgee.patch(feature, [], { key })).toEqual(refusal);
    expect(await burgee.patch(feature, [remove("/9")], { key })).toEqual(refusal);
    expect(burgee.writes()).toEqual([]);
  });

  it("the first environment alone where the list of all would exceed what Lambda can return", async () => {
    const project = '"'.repeat(2000);
    const environments = Object.fromEntries(times(800, (index) => [`e${index}`, []]));
    const feature = await addFeature(burgee, { project, environments });
    const key = await burgee.keyWith(inProject);

    const answer = await burgee.patch(feature, patch, { project, key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "e0") }));
  });

  it("the environment of the path, before the body or the feature is read", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));

    const answer = await burgee.patch("nothing", undefined, { environment: "production", key, body: "{" });

    const message = naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "production", "default");
    expect(answer).toEqual(noAccess({ message }));
  });
});

describe("a tag update", () => {
  it.each<[string, Permit[], string[]]>([
    ["the project in another letter case", [permit("UPDATE_FEATURE", { project: "Default" })], ["default"]],
  ])("returns 403, and writes nothing, with %s", async (_, permits, words) => {
    const feature = await addFeature(burgee, { tags: [tag("kept")] });
    const key = await burgee.keyWith(...permits);

    const refusal = noAccess({ message: naming("UPDATE_FEATURE", ...words) });
    expect(await burgee.putTags(feature, update, { key })).toEqual(refusal);
    expect(await burgee.putTags(feature, noTags, { key })).toEqual(refusal);
    expect(await burgee.putTags(feature, noTags, { key, dryRun: true })).toEqual(refusal);
    expect((await burgee.getTags(feature)).json.tags).toEqual([tag("kept")]);
  });

  it("is made with UPDATE_FEATURE in several projects, this one among them", async () => {
    const feature = await addFeature(burgee);
    const projects = ["other", "default"].map((project) => permit("UPDATE_FEATURE", { project }));
    const key = await burgee.keyWith(...projects);

    expect(await burgee.putTags(feature, update, { key })).toEqual(tagged(feature, update.addedTags));
  });
});
