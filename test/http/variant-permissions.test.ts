import { describe, expect, it } from "vitest";
import type { Permission, Permit } from "../../lib/contract/permissions.ts";
import { naming, noAccess, patchedNowhere, patchedTo } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, remove } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const patch = [add("/-", { name: "blue", weight: 0 })];

const permit = (permission: Permission, scope: Omit<Permit, "permission"> = {}): Permit => ({
  permission,
  ...scope,
});
const inProject = permit("UPDATE_FEATURE_VARIANTS");
const inEnvironment = (environment: string, project = "default") =>
  permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });

const burgee = useBurgee();

describe("a variant patch needs UPDATE_FEATURE_VARIANTS in the project and UPDATE_FEATURE_ENVIRONMENT_VARIANTS in each environment, granted by", () => {
  it.each<[string, Permit[]]>([
    ["both everywhere", [inProject, permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")]],
    [
      "both in the project",
      [
        permit("UPDATE_FEATURE_VARIANTS", { project: "default" }),
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project: "default" }),
      ],
    ],
    [
      "the second in each environment by itself",
      [inProject, inEnvironment("development"), inEnvironment("production")],
    ],
    [
      "the second in environments of any project",
      [
        inProject,
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { environment: "development" }),
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { environment: "production" }),
      ],
    ],
    ["ADMIN everywhere", [permit("ADMIN")]],
    ["ADMIN in the project", [permit("ADMIN", { project: "default" })]],
    [
      "ADMIN in the environments, with the first permission in the project",
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
    const { variants } = await burgee.storedEnvironment(feature, "production");
    expect(variants).toEqual([variant("blue")]);
  });
});

describe("a variant patch is refused with 403, a message that names UPDATE_FEATURE_VARIANTS, and no change, to a key with", () => {
  it.each<[string, Permit[]]>([
    ["no permission", []],
    ["the environments' permission alone", [permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")]],
    ["UPDATE_FEATURE alone", [permit("UPDATE_FEATURE")]],
    [
      "both permissions in another project",
      [
        permit("UPDATE_FEATURE_VARIANTS", { project: "other" }),
        permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project: "other" }),
      ],
    ],
    ["ADMIN in another project", [permit("ADMIN", { project: "other" })]],
    [
      "ADMIN in each environment, but not in the project",
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
