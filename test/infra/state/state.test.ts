/** What a state may hold: by its schema, without contradictions, and no more than the table can hold. */
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state-file.ts";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";
import { projectOf, tag, variant } from "../../support/seed.ts";

const project = projectOf("p", "e", "f");
const feature = { name: "f", project: "p" };
const apiKey = { name: "k", key: "k".repeat(16) };

/** States with one project, feature or key, which has these members. */
const ofProject = (members: object) => ({ projects: [{ ...project, ...members }] });
const ofFeature = (members: object) => ({ projects: [project], features: [{ ...feature, ...members }] });
const ofKey = (members: object) => ({ apiKeys: [{ ...apiKey, ...members }] });
const ofPermit = (members: object) => ofKey({ permissions: [{ permission: "ADMIN", ...members }] });

/** Each is a JSON Pointer and a message; undefined for a valid state. */
const issuesOf = (state: unknown) =>
  validate(stateSchema, state).issues?.map(({ path, message }) => `${path} ${message}`);

it("may be empty, and gets what it leaves out", () => {
  expect(validate(stateSchema, {})).toEqual({
    value: { projects: [], features: [], apiKeys: [] },
  });

  const environments = { e: { enabled: false, variants: [{ name: "a", weight: 1000 }] } };
  const { value } = validate(stateSchema, { ...ofFeature({ environments }), ...ofKey({}) });

  const content = { enabled: false, variants: [variant("a")] };
  expect(value?.features).toEqual([{ name: "f", project: "p", tags: [], environments: { e: content } }]);
  // What is left out of a key stays as it is stored.
  expect(value?.apiKeys).toEqual([apiKey]);
});

const aHash = "a".repeat(64);
const permissions = times(101, (index) => ({ permission: "ADMIN", project: `p${index}` }));
const retiring = { name: "k", retiredAt: "2026-01-01T00:00:00Z", expiresAt: "2100-01-01T00:00:00Z" };
const value = "x".repeat(limits.contentBytes / 2);
const variants = ["a", "b"].map((name) => ({ name, weight: 500, payload: { type: "string", value } }));
const half = { variants: variants.slice(1) };
const overriding = (count: number) => ({
  name: "a",
  weight: 1000,
  overrides: [{ contextName: "userId", values: times(count, () => "a") }],
});

it.each([
  ["an expiry with an offset", ofKey({ expiresAt: "2026-11-21T09:00:00.123+02:00" })],
  ["a hundred permissions of a key", ofKey({ permissions: permissions.slice(1) })],
  ["keys of one name, all but one retiring", { apiKeys: [apiKey, { ...retiring, keyHash: aHash }] }],
  [
    "environments that fit in an item each, but not together",
    ofFeature({ environments: { e: half, f: half } }),
  ],
])("may have %s", (_, state) => {
  expect(issuesOf(state)).toBeUndefined();
});

const none = { variants: [] };
const all = 'must not be "*", which means all of them in a permission';
const reserved = "must not be one of __proto__, constructor, prototype";
const bothOrNeither = "/apiKeys/0 must have either key or keyHash";
const notHash = `/apiKeys/0/keyHash must be 64 lower-case hexadecimal digits, ${bothOrNeither}`;
const ofEnvironments = (environments: unknown) => ofFeature({ environments });

it.each<[string, object]>([
  ['/projects/1/id "p" is listed twice', { projects: [project, project] }],
  ['/features/1/name "f" is listed twice', { projects: [project], features: [feature, feature] }],
  ['/apiKeys/1/name "k" is listed twice', { apiKeys: [apiKey, { name: "k", keyHash: aHash }] }],
  [
    "/apiKeys/1 is the same key as /apiKeys/0",
    { apiKeys: [apiKey, { name: "l", keyHash: hashKey(apiKey.key) }] },
  ],
  [`/projects/0/id ${all}`, ofProject({ id: "*" })],
  ['/projects/0/environments/2 "a" is listed twice', ofProject({ environments: ["a", "b", "a"] })],
  [`/projects/0/environments/0 ${reserved}`, ofProject({ environments: ["prototype"] })],
  [`/projects/0/environments/0 ${all}`, ofProject({ environments: ["*"] })],
  ["/features/0/environments must be an object", ofEnvironments(["e"])],
  [`/features/0/environments/constructor ${reserved}`, ofEnvironments({ constructor: none })],
  [
    '/features/0/environments/toString is not an environment of project "p"',
    ofEnvironments({ e: none, toString: none }),
  ],
  [
    '/features/0/project is "other", which is not among the projects of this file',
    ofFeature({ project: "other" }),
  ],
  // Dropped from requests alone.
  [
    "/features/0/tags/0/color is not a known member",
    ofFeature({ tags: [{ ...tag("team-a"), color: null }] }),
  ],
  ["/apiKeys/0/key must have at least 16 characters", ofKey({ key: "k".repeat(15) })],
  [bothOrNeither, ofKey({ keyHash: aHash })],
  [bothOrNeither, { apiKeys: [{ name: "neither" }] }],
  [notHash, ofKey({ keyHash: aHash.toUpperCase() })],
  ["/apiKeys/0/expiresAt must be an RFC 3339 time", ofKey({ expiresAt: "tomorrow" })],
  ["/apiKeys/0/expiresAt must be an RFC 3339 time", ofKey({ expiresAt: "2026-02-30T00:00:00Z" })],
  ["/apiKeys/0 must have expiresAt because it has retiredAt", ofKey({ retiredAt: retiring.retiredAt })],
  ["/apiKeys/0/permissions must have at most 100 permissions", ofKey({ permissions })],
  ["/apiKeys/0/permissions/0/project must not be empty", ofPermit({ project: "" })],
  ...["READ", "UPDATE_FEATURE", "UPDATE_FEATURE_VARIANTS"].map((permission): [string, object] => [
    `/apiKeys/0/permissions/0/environment must be left out: ${permission} applies to a project as a whole`,
    ofPermit({ permission, environment: "e" }),
  ]),
  [
    '/apiKeys/0/permissions/0/environment must not be "*": leave it out for all of them',
    ofPermit({ environment: "*" }),
  ],
  [
    "/projects/0/environments would take more than 200 KiB",
    ofProject({ environments: times(420, (index) => `${index}${"x".repeat(990)}`) }),
  ],
  [
    "/features/0/tags would take more than 190 KiB",
    ofFeature({ tags: times(7_500, (index) => tag(`team-${index}`, "x".repeat(50))) }),
  ],
  ["/features/0/environments/e/variants would take more than 190 KiB", ofEnvironments({ e: { variants } })],
  [
    "/features/0/environments/e/variants would have more than 20,000 list elements and members",
    ofEnvironments({ e: { variants: [overriding(20_000)] } }),
  ],
])("is refused: %s", (issues, state) => {
  expect(issuesOf(state)?.join(", ")).toBe(issues);
});

it.each(["a-key-before-a-space ", "a-key-from-a-file\n", "a-key-with-a-nul\0", "ein-schlüssel-für-5-€"])(
  "the key %j is refused, as no header carries it",
  (key) => {
    expect(issuesOf(ofKey({ key }))).toEqual([
      "/apiKeys/0/key must consist of printable ASCII or Latin-1 characters, without whitespace at either end: a header carries no others",
    ]);
  },
);

it.each(["Bearer a-key-of-ours", "bearer\ta-key-of-ours"])("the key %j is refused", (key) => {
  expect(issuesOf(ofKey({ key }))).toEqual([
    '/apiKeys/0/key must not begin with "Bearer ", which is not part of a key where a header begins with it',
  ]);
});

it.each([
  ["/projects/0/id", 1000, (id: string) => ofProject({ id })],
  ["/projects/0/environments/0", 1000, (name: string) => ofProject({ environments: [name] })],
  ["/features/0/name", 1000, (name: string) => ofFeature({ name })],
  ["/apiKeys/0/name", 1000, (name: string) => ofKey({ name })],
  ["/apiKeys/0/permissions/0/project", 1000, (project: string) => ofPermit({ project })],
  ["/apiKeys/0/permissions/0/environment", 1000, (environment: string) => ofPermit({ environment })],
])("a name at %s may have %i bytes of UTF-8, and no more", (path, most, state) => {
  expect(issuesOf(state("é".repeat(most / 2)))).toBeUndefined();
  expect(issuesOf(state("x".repeat(most + 1)))).toEqual([`${path} must have at most ${most} bytes`]);
});

const ofStrategies = (strategies: object[]) => ofEnvironments({ e: { strategies } });
const ofConstraints = (constraints: object[]) => ofStrategies([{ id: "s", name: "default", constraints }]);

/** The counts of what a patch builds: test/http/strategies/aspects.test.ts has them of patches. */
it.each([
  [
    "strategies",
    limits.strategies,
    (count: number) => ofStrategies(times(count, (index) => ({ id: `s${index}`, name: "default" }))),
  ],
  [
    "dependencies",
    limits.dependencies,
    (count: number) =>
      ofEnvironments({ e: { dependencies: times(count, (index) => ({ feature: `f${index}` })) } }),
  ],
  [
    "constraints",
    limits.constraints,
    (count: number) =>
      ofConstraints(times(count, () => ({ contextName: "userId", operator: "IN", values: ["u"] }))),
  ],
  [
    "values",
    limits.constraintValues,
    (count: number) =>
      ofConstraints([{ contextName: "userId", operator: "IN", values: times(count, () => "u") }]),
  ],
])("a list of %s may have %i, and no more", (things, most, state) => {
  expect(issuesOf(state(most))).toBeUndefined();
  expect(issuesOf(state(most + 1))).toEqual([
    expect.stringMatching(new RegExp(` must have at most ${most} ${things}$`)),
  ]);
});

it.each([".", "..", " ", " a", "a\t", "\n"])("the name %j is refused wherever a name is made", (name) => {
  const issue = 'must not be "." or "..", nor begin or end with a blank';
  const made = {
    "/projects/0/id": ofProject({ id: name }),
    "/projects/0/environments/0": ofProject({ environments: [name] }),
    "/features/0/name": ofFeature({ name }),
    "/apiKeys/0/name": ofKey({ name }),
  };
  for (const [path, state] of Object.entries(made)) expect(issuesOf(state)).toEqual([`${path} ${issue}`]);
});
