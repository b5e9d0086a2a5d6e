/** Every permission, in every scope, at every route. */
import { beforeAll, describe, expect, it } from "vitest";
import openapi from "../../../infra/reference/openapi.json" with { type: "json" };
import type { Permission, Permit } from "../../../lib/access/permissions.ts";
import { type Place, type Response, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature } from "../../support/seed.ts";

const project = "hers";
const feature = "checkout";
const environment = "production";
const nothing = { addedTags: [], removedTags: [] };

const burgee = useBurgee();
let change = "";
beforeAll(async () => {
  await addFeature(burgee, { name: feature, project, environments: { [environment]: [] } });
  const { headers } = await burgee.patch(feature, [add("/-", { name: "blue", weight: 0 })], { project });
  change = headers["burgee-change"] ?? "";
});

const tags = "/api/admin/features/{featureName}/tags";
const inProject = "/api/admin/projects/{projectId}/features/{featureName}";
const variants = `${inProject}/variants`;
const inEnvironment = `${inProject}/environments/{environment}/variants`;

const getChanges = (key: string, place: Place) =>
  burgee.send({ method: "GET", path: variantsPath(feature, { ...place, below: "/changes" }), key });
/** A strict dry run needs the permissions of the undo, and can be repeated. */
const undo = (key: string, place: Place) => {
  const below = `/changes/${change}/undo`;
  const path = variantsPath(feature, { ...place, below, dryRun: true });
  return burgee.send({ method: "POST", path, headers: { prefer: "handling=strict" }, key });
};
const everywhere = { project };
const there = { project, environment };

/** In the order of the columns below; the permissions to list and undo changes are those to read and patch the variants. */
const routes: Readonly<Record<string, (key: string) => Promise<Response>>> = {
  [`GET ${tags}`]: (key) => burgee.getTags(feature, { key }),
  [`PUT ${tags}`]: (key) => burgee.putTags(feature, nothing, { key }),
  [`GET ${variants}`]: (key) => burgee.getVariants(feature, { key, ...everywhere }),
  [`PATCH ${variants}`]: (key) => burgee.patch(feature, [], { key, ...everywhere }),
  [`GET ${inEnvironment}`]: (key) => burgee.getVariants(feature, { key, ...there }),
  [`PATCH ${inEnvironment}`]: (key) => burgee.patch(feature, [], { key, ...there }),
  [`GET ${variants}/changes`]: (key) => getChanges(key, everywhere),
  [`POST ${variants}/changes/{changeId}/undo`]: (key) => undo(key, everywhere),
  [`GET ${inEnvironment}/changes`]: (key) => getChanges(key, there),
  [`POST ${inEnvironment}/changes/{changeId}/undo`]: (key) => undo(key, there),
};

it("has a column for each route of the OpenAPI document", () => {
  const declared = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  expect(Object.keys(routes)).toEqual(declared);
});

const scopes: Readonly<Record<string, Omit<Permit, "permission">>> = {
  everywhere: {},
  "in the project": { project },
  "in another project": { project: "theirs" },
  "in production of the project": { project, environment },
  "in development of the project": { project, environment: "development" },
  "in production of any project": { environment },
  "in development of any project": { environment: "development" },
  "in production of another project": { project: "theirs", environment },
};

/**
 * For each scope in turn, whether the key may: read the tags, update them; read the variants of the feature, patch them
 * everywhere; read those of production, patch them there.
 */
const allowed: Readonly<Record<Permission, readonly string[]>> = {
  ADMIN: [
    "yes yes  yes yes  yes yes",
    "yes yes  yes yes  yes yes",
    "no  no   no  no   no  no ",
    "yes no   yes no   yes yes",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes yes",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
  ],
  READ: [
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
  ],
  UPDATE_FEATURE: [
    "yes yes  yes no   yes no ",
    "yes yes  yes no   yes no ",
    "no  no   no  no   no  no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
  ],
  UPDATE_FEATURE_VARIANTS: [
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
  ],
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: [
    "yes no   yes no   yes yes",
    "yes no   yes no   yes yes",
    "no  no   no  no   no  no ",
    "yes no   yes no   yes yes",
    "yes no   yes no   yes no ",
    "yes no   yes no   yes yes",
    "yes no   yes no   yes no ",
    "no  no   no  no   no  no ",
  ],
};

describe.each(Object.entries(allowed))("a key with %s", (permission, rows) => {
  it.each(Object.keys(scopes).map((scope, at) => [scope, rows[at]?.trim().split(/\s+/) ?? []] as const))(
    "%s",
    async (scope, expected) => {
      const key = await burgee.keyWith({ permission: permission as Permission, ...scopes[scope] });

      const [, , ...ofVariants] = expected;
      expect(await accessOf(key)).toEqual([...expected, ...ofVariants]);
    },
  );
});

it("a key without permissions is refused at every route", async () => {
  expect(await accessOf(await burgee.keyWith())).toEqual(Object.keys(routes).map(() => "no"));
});

it("a key with READ makes no write call, neither at any route nor in a dry run", async () => {
  const key = await burgee.keyWith({ permission: "READ" });
  const update = { addedTags: [{ type: "simple", value: "team" }], removedTags: [] };
  const patch = [add("/-", { name: "red", weight: 0 })];
  const options = { key, dryRun: true };
  const undoDry = (place: Place) => {
    const below = `/changes/${change}/undo`;
    const path = variantsPath(feature, { ...place, below, dryRun: true });
    return burgee.send({ method: "POST", path, key });
  };

  await accessOf(key);
  const dryRuns = [
    await burgee.putTags(feature, update, options),
    await burgee.patch(feature, patch, { ...options, ...everywhere }),
    await burgee.patch(feature, patch, { ...options, ...there }),
    await undoDry(everywhere),
    await undoDry(there),
  ];

  const shown = dryRuns.map(({ status, json }) => [status, json.missingPermissions.length > 0]);
  expect(shown).toEqual(Array(5).fill([200, true]));
  expect(burgee.wire.calls.length).toBeGreaterThan(10);
  expect(burgee.writes()).toEqual([]);
});

async function accessOf(key: string): Promise<string[]> {
  const answers = await Promise.all(Object.values(routes).map((send) => send(key)));
  const words: Record<number, string> = { 200: "yes", 201: "yes", 403: "no" };
  return answers.map(({ status }) => words[status] ?? String(status));
}
