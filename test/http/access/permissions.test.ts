/** Several permissions together, and what a 403 says. Each permission in every scope: access.test.ts */
import { beforeEach, describe, expect, it } from "vitest";
import type { Permission, Permit } from "../../../lib/access/permissions.ts";
import { naming, noAccess, patchedTo, tagged, unchanged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const patch = [add("/-", { name: "blue", weight: 0 })];
const update = { addedTags: [tag("team")], removedTags: [] };

const permit = (permission: Permission, scope: Omit<Permit, "permission"> = {}): Permit => ({
  permission,
  ...scope,
});
const inProject = permit("UPDATE_FEATURE_VARIANTS");
const inEnvironment = (environment: string, project = "default") =>
  permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });
const adminIn = (environment: string) => permit("ADMIN", { project: "default", environment });

const burgee = useBurgee();
let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { tags: [tag("kept")] });
});

describe("a variant patch", () => {
  it.each<[string, Permit[]]>([
    ["both permissions", [inProject, permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project: "default" })]],
    ["each environment by itself", [inProject, inEnvironment("development"), inEnvironment("production")]],
    ["ADMIN in each environment", [inProject, adminIn("development"), adminIn("production")]],
  ])("is applied with the project's permission and %s", async (_, permits) => {
    const key = await burgee.keyWith(...permits);

    expect(await burgee.patch(feature, patch, { key })).toEqual(patchedTo([variant("blue")]));
  });

  it("needs the permission in the feature's environments: others of the project do not count", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));
    const inOne = await addFeature(burgee, { environments: { development: [] } });
    const inNone = await addFeature(burgee, { environments: {} });

    expect(await burgee.patch(inOne, patch, { key })).toEqual(patchedTo([variant("blue")]));
    expect(await burgee.patch(inNone, patch, { key })).toEqual(unchanged([]));
  });

  it("returns 403 that names the project's permission, and writes nothing", async () => {
    const key = await burgee.keyWith(adminIn("development"), adminIn("production"));

    const answer = await burgee.patch(feature, patch, { key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_VARIANTS") }));
    expect(burgee.writes()).toEqual([]);
  });

  it.each<[string, Permit[], string[]]>([
    ["the project's permission alone", [inProject], ["development", "production"]],
    ["the first environment's alone", [inProject, inEnvironment("development")], ["production"]],
    [
      "that of another project",
      [inProject, inEnvironment("development"), inEnvironment("production", "other")],
      ["production"],
    ],
    ["ADMIN in one environment", [inProject, adminIn("production")], ["development"]],
  ])("returns 403 that names each environment, and writes to none, with %s", async (_, permits, names) => {
    const key = await burgee.keyWith(...permits);

    const messages = names.map((name) => naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", name));
    const refusal = noAccess({ message: messages[0], details: messages.map((message) => ({ message })) });
    for (const each of [patch, [], [remove("/9")]])
      expect(await burgee.patch(feature, each, { key })).toEqual(refusal);
    expect(burgee.writes()).toEqual([]);
  });

  it("names the first environment alone where the list of all would exceed what Lambda can return", async () => {
    const project = '"'.repeat(2000);
    const environments = Object.fromEntries(times(800, (index) => [`e${index}`, []]));
    const feature = await addFeature(burgee, { project, environments });
    const key = await burgee.keyWith(inProject);

    const answer = await burgee.patch(feature, patch, { project, key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "e0") }));
  });

  it("is refused for the environment of the path before the body or the feature is read", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));

    const answer = await burgee.patch("nothing", undefined, { environment: "production", key, body: "{" });

    const message = naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "production", "default");
    expect(answer).toEqual(noAccess({ message }));
  });
});

describe("a tag update", () => {
  it.each([
    ["a tag update", update, {}],
    ["an empty one", { addedTags: [], removedTags: [] }, {}],
    ["a dry run", update, { dryRun: true, headers: { prefer: "handling=strict" } }],
    ["one with another ETag", update, { headers: { "if-match": '"other"' } }],
  ])(
    "returns 403, and writes nothing, with the project in another letter case: %s",
    async (_, json, options) => {
      const key = await burgee.keyWith(permit("UPDATE_FEATURE", { project: "Default" }));

      const answer = await burgee.putTags(feature, json, { key, ...options });

      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({ message: naming("UPDATE_FEATURE", 'project "default"') });
      expect((await burgee.getTags(feature)).json.tags).toEqual([tag("kept")]);
    },
  );

  it("is made with UPDATE_FEATURE in several projects, this one among them", async () => {
    const projects = ["other", "default"].map((project) => permit("UPDATE_FEATURE", { project }));
    const key = await burgee.keyWith(...projects);

    expect(await burgee.putTags(feature, update, { key })).toEqual(
      tagged(feature, [tag("kept"), tag("team")]),
    );
  });
});
