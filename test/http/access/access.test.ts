/** Every permission, in every scope, at every route. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import openapi from "../../../infra/reference/openapi.json" with { type: "json" };
import type { Permission, PermissionName } from "../../../lib/access/permissions.ts";
import { featurePath, type Place, type Response, useBurgee } from "../../support/burgee.ts";
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
  await burgee.patchFeature(feature, [add("/strategies/s1", { name: "default" })], { project });
  const { headers } = await burgee.patchVariants(feature, [add("/-", { name: "blue", weight: 0 })], {
    project,
  });
  change = headers["burgee-change"] ?? "";
});

const projects = "/api/admin/projects";
const features = `${projects}/{projectId}/features`;
const tags = "/api/admin/features/{featureName}/tags";
const inProject = "/api/admin/projects/{projectId}/features/{featureName}";
const variants = `${inProject}/variants`;
const environmentPath = `${inProject}/environments/{environment}`;
const inEnvironment = `${environmentPath}/variants`;

/** A strict dry run needs the permissions of the undo, and can be repeated. */
const undo = (key: string, place: Place, prefer = "handling=strict") =>
  burgee.undo(feature, change, { ...place, dryRun: true, headers: { prefer }, key });
const everywhere = { project };
const there = { project, environment };

const switchTo = (to: "on" | "off", key: string, place: Place) =>
  burgee.switch(feature, to, { ...place, dryRun: true, headers: { prefer: "handling=strict" }, key });

const strict = { dryRun: true, headers: { prefer: "handling=strict" } };
const addStrategy = [add("/strategies/s2", { name: "default" })];
const patchStrategies = (key: string, place: Place) =>
  burgee.patchFeature(feature, addStrategy, { ...place, ...strict, key });

const strategies = `${environmentPath}/strategies`;
const strategy = `${strategies}/{strategyId}`;
/** A strict dry run of a write at this path of strategies. */
const changeStrategy =
  (method: "POST" | "PUT" | "DELETE" | "PATCH", template: string, json?: unknown) => (key: string) => {
    const { dryRun, headers } = strict;
    const path = `${fill(template)}?dryRun=${dryRun}`;
    return burgee.send({ method, path, headers, ...(json !== undefined && { json }), key });
  };

const create = (key: string) =>
  burgee.send({
    method: "POST",
    path: `/api/admin/projects/${project}/features`,
    json: { name: randomUUID() },
    key,
  });

/** There is no such feature, so that it can be sent again. */
const ofAbsent = (method: "DELETE" | "POST", end: string, key: string) =>
  burgee.send({ method, path: `/api/admin/projects/${project}/features/none${end}`, key });

type Needs =
  | "delete"
  | "trip"
  | "create"
  | "read"
  | "read anywhere"
  | "load"
  | "tags"
  | "everywhere"
  | "there"
  | "switch"
  | "strategies";

/** Nothing is under it. */
const trips = `${projects}/{projectId}/environments/{environment}/guards/{guard}/trip`;
const tripGuard = (key: string, query = "") =>
  burgee.send({
    method: "POST",
    path: `${projects}/${project}/environments/${environment}/guards/errors/trip${query}`,
    key,
  });

const documents = "/api/projects/{projectId}/environments/{environment}";

/** The path of the document with the names of this test. */
function fill(template: string): string {
  const names = { projectId: project, featureName: feature, environment, strategyId: "s1" };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name]);
}

const read = (method: "GET" | "HEAD", template: string, key: string | null) =>
  burgee.send({ method, path: fill(template), key });
const get = (template: string) => (key: string) => read("GET", template, key);

/** What a key needs for each route. */
const routes: Readonly<Record<string, [Needs, (key: string) => Promise<Response>]>> = {
  [`GET ${tags}`]: ["read", (key) => burgee.getTags(feature, { key })],
  [`PUT ${tags}`]: ["tags", (key) => burgee.putTags(feature, nothing, { key })],
  [`POST ${features}`]: ["create", create],
  [`GET ${features}`]: ["read", get(features)],
  [`DELETE ${inProject}`]: ["delete", (key) => ofAbsent("DELETE", "", key)],
  [`GET ${inProject}`]: ["read", get(inProject)],
  [`PATCH ${inProject}`]: ["strategies", (key) => patchStrategies(key, everywhere)],
  [`POST ${inProject}/restore`]: ["delete", (key) => ofAbsent("POST", "/restore", key)],
  [`GET ${environmentPath}`]: ["read", get(environmentPath)],
  [`PATCH ${environmentPath}`]: ["strategies", (key) => patchStrategies(key, there)],
  [`GET ${strategies}`]: ["read", get(strategies)],
  [`POST ${strategies}`]: ["strategies", changeStrategy("POST", strategies, { name: "default" })],
  [`GET ${strategy}`]: ["read", get(strategy)],
  [`PUT ${strategy}`]: ["strategies", changeStrategy("PUT", strategy, { name: "default" })],
  [`DELETE ${strategy}`]: ["strategies", changeStrategy("DELETE", strategy)],
  [`PATCH ${strategy}`]: ["strategies", changeStrategy("PATCH", strategy, [])],
  [`POST ${inProject}/on`]: ["switch", (key) => switchTo("on", key, everywhere)],
  [`POST ${inProject}/off`]: ["switch", (key) => switchTo("off", key, everywhere)],
  [`POST ${environmentPath}/on`]: ["switch", (key) => switchTo("on", key, there)],
  [`POST ${environmentPath}/off`]: ["switch", (key) => switchTo("off", key, there)],
  [`GET ${variants}`]: ["read", (key) => burgee.getVariants(feature, { key, ...everywhere })],
  [`PATCH ${variants}`]: ["everywhere", (key) => burgee.patchVariants(feature, [], { key, ...everywhere })],
  [`GET ${inEnvironment}`]: ["read", (key) => burgee.getVariants(feature, { key, ...there })],
  [`PATCH ${inEnvironment}`]: ["there", (key) => burgee.patchVariants(feature, [], { key, ...there })],
  [`GET ${variants}/changes`]: ["read", (key) => burgee.getChanges(feature, { key, ...everywhere })],
  [`POST ${variants}/changes/{changeId}/undo`]: ["everywhere", (key) => undo(key, everywhere)],
  [`GET ${inEnvironment}/changes`]: ["read", (key) => burgee.getChanges(feature, { key, ...there })],
  [`POST ${inEnvironment}/changes/{changeId}/undo`]: ["there", (key) => undo(key, there)],
  [`POST ${trips}`]: ["trip", (key) => tripGuard(key)],
  [`GET ${projects}`]: ["read anywhere", get(projects)],
  [`GET ${documents}/client/features`]: ["load", get(`${documents}/client/features`)],
  [`GET ${documents}/flagd.json`]: ["load", get(`${documents}/flagd.json`)],
};

it("has each route of the OpenAPI document", () => {
  const declared = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  expect(Object.keys(routes)).toEqual(declared);
});

const elsewhere: Readonly<Record<string, Omit<Permission, "permission">>> = {
  "in another project": { project: "theirs" },
  "in production of another project": { project: "theirs", environment },
};
const scopes: Readonly<Record<string, Omit<Permission, "permission">>> = {
  everywhere: {},
  "in the project": { project },
  "in production of the project": { project, environment },
  "in development of the project": { project, environment: "development" },
  "in production of any project": { environment },
  "in development of any project": { environment: "development" },
  ...elsewhere,
};

/** Where `CLIENT` allows loading the documents of production. */
const covering = [
  "everywhere",
  "in the project",
  "in production of the project",
  "in production of any project",
];

/** What else than reading and loading a key may do in these scopes. */
const writes: Readonly<Record<PermissionName, Readonly<Record<string, readonly Needs[]>>>> = {
  ADMIN: {
    everywhere: ["create", "delete", "tags", "everywhere", "there", "switch", "strategies", "trip"],
    "in the project": ["create", "delete", "tags", "everywhere", "there", "switch", "strategies", "trip"],
    "in production of the project": ["there", "switch", "strategies", "trip"],
    "in production of any project": ["there", "switch", "strategies", "trip"],
  },
  READ: {},
  CLIENT: {},
  CREATE_FEATURE: { everywhere: ["create"], "in the project": ["create"] },
  DELETE_FEATURE: { everywhere: ["delete"], "in the project": ["delete"] },
  UPDATE_FEATURE: { everywhere: ["tags"], "in the project": ["tags"] },
  // A patch of every environment needs the next one as well.
  UPDATE_FEATURE_VARIANTS: {},
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: {
    everywhere: ["there"],
    "in the project": ["there"],
    "in production of the project": ["there"],
    "in production of any project": ["there"],
  },
  UPDATE_FEATURE_ENVIRONMENT: {
    everywhere: ["switch"],
    "in the project": ["switch"],
    "in production of the project": ["switch"],
    "in production of any project": ["switch"],
  },
  UPDATE_FEATURE_STRATEGY: {
    everywhere: ["strategies"],
    "in the project": ["strategies"],
    "in production of the project": ["strategies"],
    "in production of any project": ["strategies"],
  },
  TRIP_GUARD: {
    everywhere: ["trip"],
    "in the project": ["trip"],
    "in production of the project": ["trip"],
    "in production of any project": ["trip"],
  },
};

describe.each(Object.entries(writes))("a key with %s", (permission, ofScope) => {
  it.each(Object.keys(scopes))("%s", async (scope) => {
    const key = await burgee.keyWith({ permission: permission as PermissionName, ...scopes[scope] });

    const isOfOneCall = permission === "CLIENT" || permission === "TRIP_GUARD";
    const reads = isOfOneCall ? [] : ["read anywhere", ...(scope in elsewhere ? [] : ["read", "load"])];
    const loads = permission === "CLIENT" && covering.includes(scope) ? ["load"] : [];
    const allowed = [...reads, ...loads, ...(ofScope[scope] ?? [])];
    const expected = Object.values(routes).map(([needs]) => (allowed.includes(needs) ? "yes" : "no"));
    expect(await accessOf(key)).toEqual(expected);
  });
});

it("a key without permissions is refused at every route", async () => {
  expect(await accessOf(await burgee.keyWith())).toEqual(Object.keys(routes).map(() => "no"));
});

it("HEAD of each route has the status and headers of GET with any key, and no body", async () => {
  const permissions: Permission[] = [
    { permission: "READ", project },
    { permission: "CLIENT" },
    { permission: "READ" },
  ];
  const keys = [null, await burgee.keyWith()];
  for (const permission of permissions) keys.push(await burgee.keyWith(permission));
  const templates = Object.keys(routes).filter((route) => route.startsWith("GET "));

  for (const template of templates.map((route) => route.replace("GET ", ""))) {
    for (const key of keys) {
      const got = await read("GET", template, key);

      expect(await read("HEAD", template, key)).toEqual({ ...got, json: undefined });
    }
  }
});

it("a key with READ makes no write call, neither at any route nor in a dry run", async () => {
  const key = await burgee.keyWith({ permission: "READ" });
  const update = { addedTags: [{ type: "simple", value: "team" }], removedTags: [] };
  const patch = [add("/-", { name: "red", weight: 0 })];
  const options = { key, dryRun: true };

  await accessOf(key);
  const dryRuns = [
    await burgee.putTags(feature, update, options),
    await burgee.patchVariants(feature, patch, { ...options, ...everywhere }),
    await burgee.patchVariants(feature, patch, { ...options, ...there }),
    await undo(key, everywhere, ""),
    await undo(key, there, ""),
    await burgee.switch(feature, "on", { ...options, ...everywhere }),
    await burgee.switch(feature, "off", { ...options, ...there }),
    await burgee.send({
      method: "POST",
      path: featurePath(feature, { ...there, below: "/strategies", dryRun: true }),
      json: { name: "default" },
      key,
    }),
    await tripGuard(key, "?dryRun=true"),
  ];

  const shown = dryRuns.map(({ status, json }) => [status, json.missingPermissions.length > 0]);
  expect(shown).toEqual(Array(9).fill([200, true]));
  expect(dryRuns.at(-2)?.json.missingPermissions).toEqual([
    { permission: "UPDATE_FEATURE_STRATEGY", environment },
  ]);
  expect(burgee.wire.calls.length).toBeGreaterThan(10);
  expect(burgee.writes()).toEqual([]);
});

/** "yes" or "no" for each route; any other status is shown as it is. */
async function accessOf(key: string): Promise<string[]> {
  const answers = Object.entries(routes).map(async ([route, [, send]]) => {
    const { permitted, refused } = statusesOf(route);
    const { status } = await send(key);
    if (status === permitted) return "yes";
    return refused.includes(status) ? "no" : `${route}: ${status}`;
  });
  return Promise.all(answers);
}

/** A key that may not read a project cannot find out by the path of tags that a feature is in it: the response is 404. */
function statusesOf(route: string): { permitted: number; refused: readonly number[] } {
  const isCreated = route === `PUT ${tags}` || route === `POST ${features}`;
  if (routes[route]?.[0] === "delete") return { permitted: 404, refused: [403] };
  return { permitted: isCreated ? 201 : 200, refused: route.endsWith(tags) ? [403, 404] : [403] };
}
