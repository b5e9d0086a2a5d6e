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
  const inTwo = ["development", "production"];

  it.each<[string, Permit[], refused: string[]]>([
    ["both permissions", [inProject, permit("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")], []],
    ["each environment's by itself", [inProject, ...inTwo.map((each) => inEnvironment(each))], []],
    ["ADMIN in each environment", [inProject, ...inTwo.map(adminIn)], []],
    ["the environments' alone", inTwo.map(adminIn), ["UPDATE_FEATURE_VARIANTS in project"]],
    ["the project's alone", [inProject], inTwo],
    ["the first environment's alone", [inProject, inEnvironment("development")], ["production"]],
    ["that of another project", [inProject, ...inTwo.map((each) => inEnvironment(each, "other"))], inTwo],
    ["ADMIN in one environment", [inProject, adminIn("production")], ["development"]],
  ])(
    "with %s is applied, or returns 403 that names each %j, and writes nothing",
    async (_, permits, names) => {
      const key = await burgee.keyWith(...permits);

      const messages = names.map((name) => naming(name, 'project "default"'));
      const details = messages.map((message) => ({ message }));
      const inPath = names[0]?.startsWith("UPDATE");
      const refusal = noAccess({ message: messages[0], ...(!inPath && { details }) });
      for (const each of names.length > 0 ? [[], [remove("/9")], patch] : [patch]) {
        const answer = await burgee.patch(feature, each, { key });
        expect(answer).toEqual(names.length > 0 ? refusal : patchedTo([variant("blue")]));
      }
      expect(burgee.writes()).toEqual(names.length > 0 ? [] : inTwo);
    },
  );

  it("needs the permission in the feature's environments: others of the project do not count", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));
    const inOne = await addFeature(burgee, { environments: { development: [] } });
    const inNone = await addFeature(burgee, { environments: {} });

    expect(await burgee.patch(inOne, patch, { key })).toEqual(patchedTo([variant("blue")]));
    expect(await burgee.patch(inNone, patch, { key })).toEqual(unchanged([]));
  });

  it("names the first environment alone where the list of all would exceed what Lambda can return", async () => {
    const project = '"'.repeat(2000);
    const environments = Object.fromEntries(times(800, (index) => [`e${index}`, []]));
    const feature = await addFeature(burgee, { project, environments });
    const key = await burgee.keyWith(inProject);

    const answer = await burgee.patch(feature, patch, { project, key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "e0") }));
  });
});

describe("a tag update", () => {
  it.each([
    ["of tags", update, {}],
    ["of none", { addedTags: [], removedTags: [] }, {}],
    ["with another ETag", update, { headers: { "if-match": '"other"' } }],
  ])(
    "%s returns 403 with the project in another letter case, and writes nothing",
    async (_, json, options) => {
      const key = await burgee.keyWith(permit("UPDATE_FEATURE", { project: "Default" }));

      const answer = await burgee.putTags(feature, json, { key, ...options });

      expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE", 'project "default"') }));
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
