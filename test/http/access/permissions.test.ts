/** Beside access.test.ts, which has every permission in every scope: several permissions together, and what a 403 says. */
import { describe, expect, it } from "vitest";
import type { Permission, Permit } from "../../../lib/contract/permissions.ts";
import { naming, noAccess, patchedNowhere, patchedTo, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const patch = [add("/-", { name: "blue", weight: 0 })];

const permit = (permission: Permission, scope: Omit<Permit, "permission"> = {}): Permit => ({
  permission,
  ...scope,
});
const inProject = permit("UPDATE_FEATURE_VARIANTS");
const inEnvironment = (environment: string, project = "default") =>
  permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });

const burgee = useBurgee();

describe("a variant patch is done with", () => {
  it.each<[string, Permit[]]>([
    [
      "both permissions in the project",
      [
        permit("UPDATE_FEATURE_VARIANTS", { project: "default" }),
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project: "default" }),
      ],
    ],
    [
      "the second one in each environment by itself",
      [inProject, inEnvironment("development"), inEnvironment("production")],
    ],
    [
      "ADMIN in the environments, and the first one in the project",
      [
        inProject,
        permit("ADMIN", { environment: "development" }),
        permit("ADMIN", { environment: "production" }),
      ],
    ],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });
});

describe("a request is refused with 403 and a message that names the permission, and nothing is written:", () => {
  it.each<[string, Permit[]]>([
    ["a tag update without any permission", []],
    [
      "a tag update with UPDATE_FEATURE in the project in another letter case",
      [permit("UPDATE_FEATURE", { project: "Default" })],
    ],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee, { tags: [tag("kept")] });
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.putTags(feature, { addedTags: [tag("team")], removedTags: [] }, { key });
    const empty = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, { key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE") }));
    expect(empty).toEqual(noAccess({ message: naming("UPDATE_FEATURE") }));
    expect((await burgee.getTags(feature)).json.tags).toEqual([tag("kept")]);
  });

  it("a tag update is done with UPDATE_FEATURE in several projects, this one among them", async () => {
    const feature = await addFeature(burgee);
    const projects = ["other", "default"].map((project) => permit("UPDATE_FEATURE", { project }));
    const key = await burgee.keyWith(...projects);

    const answer = await burgee.putTags(feature, { addedTags: [tag("team")], removedTags: [] }, { key });

    expect(answer).toEqual(tagged(feature, [tag("team")]));
  });

  it.each<[string, Permit[]]>([
    ["a patch with the environments' permission alone", [permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")]],
    [
      "a patch with ADMIN in each environment, but not in the project",
      ["development", "production"].map((environment) =>
        permit("ADMIN", { project: "default", environment }),
      ),
    ],
  ])("%s", async (_, permits) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_VARIANTS") }));
    expect((await burgee.storedEnvironment(feature, "development")).revision).toBe(1);
  });
});

describe("a variant patch is refused with 403 and a message that names UPDATE_FEATURE_ENVIRONMENT_VARIANTS and the environment, to a key with", () => {
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
    [
      "ADMIN in one environment",
      [inProject, permit("ADMIN", { project: "default", environment: "production" })],
      ["development"],
    ],
  ])("%s, and nothing is patched, not even in a permitted environment", async (_, permits, environments) => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.patch(feature, patch, { key });

    const messages = environments.map((name) => naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", name));
    const details = messages.map((message) => ({ message }));
    expect(answer).toEqual(noAccess({ message: messages[0], details }));
    for (const environment of ["development", "production"]) {
      const { variants, revision } = await burgee.storedEnvironment(feature, environment);
      expect({ variants, revision }).toEqual({ variants: [], revision: 1 });
    }
  });

  it("a refused last environment, even if the patch cannot be applied to the first", async () => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(inProject, inEnvironment("development"));

    const answer = await burgee.patch(feature, [remove("/9")], { key });

    expect(answer.status).toBe(403);
  });

  it("a refused environment, even if the patch is empty", async () => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(inProject, inEnvironment("development"));

    const answer = await burgee.patch(feature, [], { key });

    expect(answer.status).toBe(403);
  });
});

describe("only the environments that the feature has count", () => {
  it("a key without the permission in another environment of the project may patch", async () => {
    const feature = await addFeature(burgee, { environments: { development: [] } });
    const key = await burgee.keyWith(inProject, inEnvironment("development"));

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });

  it("a feature without environments needs the project's permission alone", async () => {
    const feature = await addFeature(burgee, { environments: {} });
    const key = await burgee.keyWith(inProject);

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(patchedNowhere());
  });
});
