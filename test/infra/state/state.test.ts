/** What a state may hold: by its schema, without contradictions, and no more than the table can hold. */
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";
import { featureOf, tag, variant } from "../../support/seed.ts";

const project = { id: "p", environments: ["e"] };
const feature = { name: "f", project: "p" };
const apiKey = { name: "k", key: "k".repeat(16) };

/** Each is a JSON Pointer and a message; undefined for a valid state. */
const issuesOf = (state: unknown) =>
  validate(stateSchema, state).issues?.map(({ path, message }) => `${path} ${message}`);
const issuesOfKey = (members: object) => issuesOf({ apiKeys: [{ ...apiKey, ...members }] });
const issuesOfPermit = (members: object) =>
  issuesOfKey({ permissions: [{ permission: "ADMIN", ...members }] });
const issuesOfProject = (members: object) => issuesOf({ projects: [{ ...project, ...members }] });
const issuesOfFeature = (members: object) =>
  issuesOf({ projects: [project], features: [{ ...feature, ...members }] });

it("the state of the service may be empty, and gets what it leaves out", () => {
  expect(validate(stateSchema, {})).toEqual({ value: { projects: [], features: [], apiKeys: [] } });

  const environments = { e: { variants: [{ name: "a", weight: 1000 }] } };
  const features = [{ ...feature, environments }];
  const { value } = validate(stateSchema, { projects: [project], features, apiKeys: [apiKey] });

  expect(value?.features).toEqual([featureOf("f", { e: [variant("a")] }, { project: "p", tags: [] })]);
  expect(value?.apiKeys).toEqual([{ ...apiKey, permissions: [], disabled: false }]);
});

it("the state of the service is refused with a name twice", () => {
  const twice = {
    projects: [project, project],
    features: [feature, feature],
    apiKeys: [apiKey, { ...apiKey, key: "l".repeat(16) }],
  };

  expect(issuesOf(twice)).toEqual([
    '/projects/1/id "p" is listed twice',
    '/features/1/name "f" is listed twice',
    '/apiKeys/1/name "k" is listed twice',
  ]);
});

const aHash = "a".repeat(64);
const badHash = "/keyHash must be 64 lower-case hexadecimal digits";
const bothOrNeither = " must have either key or keyHash";
const endless = " must have expiresAt because it has retiredAt";

it.each([
  [{ key: "k".repeat(15) }, "/key must have at least 16 characters"],
  [{ keyHash: aHash.toUpperCase() }, badHash, bothOrNeither],
  [{ keyHash: `${aHash}a` }, badHash, bothOrNeither],
  [{ keyHash: `${aHash}\n` }, badHash, bothOrNeither],
  [{ expiresAt: "tomorrow" }, "/expiresAt must be an RFC 3339 time"],
  [{ expiresAt: "2026-02-30T00:00:00Z" }, "/expiresAt must be an RFC 3339 time"],
  [{ expiresAt: "2026-01-01" }, "/expiresAt must be an RFC 3339 time"],
  [{ expiresAt: null }, "/expiresAt must be an RFC 3339 time"],
  [{ retiredAt: "yesterday" }, "/retiredAt must be an RFC 3339 time", endless],
  [{ retiredAt: "2026-01-01T00:00:00Z" }, endless],
  [{ disabled: "no" }, "/disabled must be a boolean"],
  [{ disabled: 0 }, "/disabled must be a boolean"],
  [{ permissions: "ADMIN" }, "/permissions must be a list"],
  [{ keyHash: "0".repeat(64) }, bothOrNeither],
])("an API key of the state is refused for %j", (members, ...issues) => {
  expect(issuesOfKey(members)).toEqual(issues.map((issue) => `/apiKeys/0${issue}`));
});

it.each([
  " a-key-after-a-space",
  "a-key-before-a-space ",
  "a-key-before-a-tab\t",
  "a-key-from-a-file\n",
  "\u00a0a-key-after-a-no-break-space",
  "a-key-with-a\nline-break",
  "a-key-with-a-nul\0",
  "a-key-with-a-delete-\u007f",
  "ein-schlüssel-für-5-€",
  "\ufeffa-key-after-a-byte-order-mark",
  " ".repeat(16),
])("an API key of the state is refused where no header can carry it: %j", (key) => {
  const issue = "must consist of printable ASCII or Latin-1 characters, without whitespace at either end";

  expect(issuesOfKey({ key })).toEqual([`/apiKeys/0/key ${issue}: a header carries no others`]);
});

it("the API keys of the state must be a list", () => {
  expect(issuesOf({ apiKeys: {} })).toEqual(["/apiKeys must be a list"]);
});

it("an API key of the state is refused with neither itself nor its hash", () => {
  expect(issuesOf({ apiKeys: [{ name: "neither" }] })).toEqual([`/apiKeys/0${bothOrNeither}`]);
});

it("an API key of the state is refused with the value or the hash of another", () => {
  const keyHash = hashKey(apiKey.key);
  const apiKeys = [apiKey, { name: "l", keyHash }, { ...apiKey, name: "m" }, { name: "n", keyHash: aHash }];

  expect(issuesOf({ apiKeys })).toEqual(
    [1, 2].map((index) => `/apiKeys/${index} is the same key as /apiKeys/0`),
  );
});

it.each(["09:00:00Z", "09:00:00.123Z", "09:00:00+02:00"])(
  "an API key of the state may expire at %s",
  (time) => {
    expect(issuesOfKey({ expiresAt: `2026-11-21T${time}` })).toBeUndefined();
  },
);

it("an API key of the state may have the name of others that are retiring", () => {
  const retiring = { name: "k", retiredAt: "2026-01-01T00:00:00Z", expiresAt: "2100-01-01T00:00:00Z" };
  const keys = ["1", "2"].map((digit) => ({ ...retiring, key: `${apiKey.key}-${digit}` }));

  expect(issuesOf({ apiKeys: [...keys, apiKey] })).toBeUndefined();
});

it("an API key of the state may have a hundred permissions, and no more", () => {
  const permissions = times(101, (index) => ({ permission: "ADMIN", project: `p${index}` }));

  expect(issuesOfKey({ permissions: permissions.slice(1) })).toBeUndefined();
  expect(issuesOfKey({ permissions })).toEqual(["/apiKeys/0/permissions must have at most 100 permissions"]);
});

const reserved = "must not be one of __proto__, constructor, prototype";
const all = 'must not be "*", which means all of them in a permission';
const empty = { variants: [] };

it.each([
  [["a", "b", "a"], '2 "a" is listed twice'],
  [["__proto__"], `0 ${reserved}`],
  [["constructor"], `0 ${reserved}`],
  [["prototype"], `0 ${reserved}`],
  [["a", "*"], `1 ${all}`],
])("a project is refused with the environments %j", (environments, issue) => {
  expect(issuesOfProject({ environments })).toEqual([`/projects/0/environments/${issue}`]);
});

it("a project is refused with the id *", () => {
  expect(issuesOfProject({ id: "*" })).toEqual([`/projects/0/id ${all}`]);
});

it.each([
  [{ environments: ["development"] }, "/environments must be an object"],
  [{ environments: 1 }, "/environments must be an object"],
  [{ environments: { e: [] } }, "/environments/e must be an object"],
  [{ environments: { constructor: empty } }, `/environments/constructor ${reserved}`],
  [{ environments: { "*": empty } }, `/environments/* ${all}`],
  [
    { environments: { e: empty, toString: empty } },
    '/environments/toString is not an environment of project "p"',
  ],
  [{ project: "other" }, '/project is "other", which is not among the projects'],
  // Dropped from requests alone.
  [{ tags: [{ ...tag("team-a"), color: null }] }, "/tags/0/color is not a known member"],
])("a feature is refused for %j", (members, issue) => {
  expect(issuesOfFeature(members)).toEqual([`/features/0${issue}`]);
});

it.each([
  ["/projects/0/id", 2040, (id: string) => issuesOfProject({ id })],
  ["/projects/0/environments/0", 1012, (name: string) => issuesOfProject({ environments: [name] })],
  ["/features/0/name", 2040, (name: string) => issuesOfFeature({ name })],
  ["/apiKeys/0/name", 2040, (name: string) => issuesOfKey({ name })],
  ["/apiKeys/0/permissions/0/project", 2040, (project: string) => issuesOfPermit({ project })],
  ["/apiKeys/0/permissions/0/environment", 1012, (environment: string) => issuesOfPermit({ environment })],
])("a name at %s may have %i bytes of UTF-8, and no more", (path, most, issuesOfName) => {
  expect(issuesOfName("x".repeat(most))).toBeUndefined();
  expect(issuesOfName("é".repeat(most / 2))).toBeUndefined();
  expect(issuesOfName("x".repeat(most + 1))).toEqual([`${path} must have at most ${most} bytes`]);
  expect(issuesOfName("é".repeat(most / 2 + 1))).toEqual([`${path} must have at most ${most} bytes`]);
});

it.each(["project", "environment"])("a permission is refused whose %s is empty or *", (member) => {
  const path = `/apiKeys/0/permissions/0/${member}`;

  expect(issuesOfPermit({ [member]: "" })).toEqual([`${path} must not be empty`]);
  expect(issuesOfPermit({ [member]: "*" })).toEqual([
    `${path} must not be "*": leave it out for all of them`,
  ]);
});

const tooLarge = "would not fit in a stored item (400 KiB)";
const value = "x".repeat(limits.itemBytes / 2);
const variants = ["a", "b"].map((name) => ({ name, weight: 500, payload: { type: "string", value } }));

it("what would not fit in an item is refused: the environments of a project, the tags of a feature, and its variants in an environment", () => {
  const environments = times(410, (index) => `${index}${"x".repeat(1000)}`);
  const tags = times(7_500, (index) => tag(`team-${index}`, "x".repeat(50)));

  expect(issuesOfProject({ environments })).toEqual([`/projects/0/environments ${tooLarge}`]);
  expect(issuesOfFeature({ tags })).toEqual([`/features/0/tags ${tooLarge}`]);
  expect(issuesOfFeature({ environments: { e: { variants } } })).toEqual([
    `/features/0/environments/e/variants ${tooLarge}`,
  ]);
});

it("what has one byte more than 400 KiB would not fit in an item", () => {
  // Each takes a byte more than its name, and their list three.
  const names = times(404, (index) => `${index}`.padEnd(1012, "x"));
  const last = "y".repeat(limits.itemBytes - 3 - 404 * 1013 - 1);

  expect(issuesOfProject({ environments: [...names, last] })).toBeUndefined();
  expect(issuesOfProject({ environments: [...names, `${last}y`] })).toEqual([
    `/projects/0/environments ${tooLarge}`,
  ]);
});

it("each environment of a feature is an item by itself, not all together", () => {
  const projects = [{ id: "p", environments: ["e", "f"] }];
  const environments = { e: { variants: variants.slice(1) }, f: { variants: variants.slice(1) } };

  expect(issuesOf({ projects, features: [{ ...feature, environments }] })).toBeUndefined();
});
