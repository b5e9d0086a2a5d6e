/** What a state may hold: by its schema, without contradictions, and no more than the table can hold. */
import { describe, expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { permitSchema } from "../../../lib/contract/permissions.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";

const key = "a-key-of-sixteen-characters";
const faultsOf = (state: unknown) => validate(stateSchema, state).issues;
const faultsOfKey = (members: object) => faultsOf({ apiKeys: [{ name: "k", key, ...members }] });
const faultsOfProject = (members: object) =>
  faultsOf({ projects: [{ id: "p", environments: ["e"], ...members }] });
const faultsOfFeature = (members: object) =>
  faultsOf({
    projects: [{ id: "p", environments: ["e"] }],
    features: [{ name: "f", project: "p", ...members }],
  });

describe("the state of the service", () => {
  it("may be empty", () => {
    expect(validate(stateSchema, {})).toEqual({ value: { projects: [], features: [], apiKeys: [] } });
  });

  it("gets what it leaves out", () => {
    const state = {
      projects: [{ id: "default", environments: ["development"] }],
      features: [
        {
          name: "f",
          project: "default",
          environments: { development: { variants: [{ name: "a", weight: 1000 }] } },
        },
      ],
      apiKeys: [{ name: "k", key }],
    };

    const { value } = validate(stateSchema, state);

    expect(value?.features[0]).toEqual({
      name: "f",
      project: "default",
      tags: [],
      environments: {
        development: {
          variants: [{ name: "a", weight: 1000, weightType: "variable", stickiness: "default" }],
        },
      },
    });
    expect(value?.apiKeys[0]).toEqual({ name: "k", key, permissions: [], disabled: false });
  });

  it("is refused with every issue and its place", () => {
    const issues = faultsOf({
      projects: [{ id: "", environments: [1, ""] }],
      features: [{ name: 1, tags: [{ value: "a" }], environments: { development: { variants: [1] } } }],
      apiKeys: {},
      segments: [],
    });

    expect(issues).toEqual([
      { path: "/projects/0/id", message: "must not be empty" },
      { path: "/projects/0/environments/0", message: "must be a string" },
      { path: "/projects/0/environments/1", message: "must not be empty" },
      { path: "/features/0/name", message: "must be a string" },
      { path: "/features/0/project", message: "is required" },
      { path: "/features/0/tags/0/value", message: "must have 2 to 50 characters" },
      { path: "/features/0/tags/0/type", message: "is required" },
      { path: "/features/0/environments/development/variants/0", message: "must be an object" },
      { path: "/apiKeys", message: "must be a list" },
      { path: "/segments", message: "is not a known member" },
    ]);
  });

  it("holds a feature's environments by name, in an object", () => {
    const path = "/features/0/environments";

    expect(faultsOfFeature({ environments: ["development"] })).toEqual([
      { path, message: "must be an object" },
    ]);
    expect(faultsOfFeature({ environments: 1 })).toEqual([{ path, message: "must be an object" }]);
    expect(faultsOfFeature({ environments: { e: [] } })).toEqual([
      { path: `${path}/e`, message: "must be an object" },
    ]);
  });

  it("holds no tag with a color, which is dropped from requests alone", () => {
    expect(faultsOfFeature({ tags: [{ value: "team-a", type: "simple", color: null }] })).toEqual([
      { path: "/features/0/tags/0/color", message: "is not a known member" },
    ]);
  });
});

describe("an API key of the state", () => {
  it.each([
    [{ key: "short" }, "/key", "must have at least 16 characters"],
    [{ keyHash: "A".repeat(64) }, "/keyHash", "must be 64 lower-case hexadecimal digits"],
    [{ keyHash: "a".repeat(65) }, "/keyHash", "must be 64 lower-case hexadecimal digits"],
    [{ keyHash: `${"a".repeat(64)}\n` }, "/keyHash", "must be 64 lower-case hexadecimal digits"],
    [{ expiresAt: "tomorrow" }, "/expiresAt", "must be an RFC 3339 time"],
    [{ expiresAt: "2026-02-30T00:00:00Z" }, "/expiresAt", "must be an RFC 3339 time"],
    [{ expiresAt: "2026-01-01" }, "/expiresAt", "must be an RFC 3339 time"],
    [{ expiresAt: null }, "/expiresAt", "must be an RFC 3339 time"],
    [{ retiredAt: "yesterday" }, "/retiredAt", "must be an RFC 3339 time"],
    [{ disabled: "no" }, "/disabled", "must be a boolean"],
    [{ disabled: 0 }, "/disabled", "must be a boolean"],
    [{ permissions: "ADMIN" }, "/permissions", "must be a list"],
  ])("is refused for %j", (members, path, message) => {
    expect(faultsOfKey(members)).toContainEqual({ path: `/apiKeys/0${path}`, message });
  });

  it.each(["2026-11-21T09:00:00Z", "2026-11-21T09:00:00.123Z", "2026-11-21T09:00:00+02:00"])(
    "may expire at %s",
    (expiresAt) => {
      expect(faultsOfKey({ expiresAt })).toBeUndefined();
    },
  );
});

describe("a permission of an API key", () => {
  it.each(["ADMIN", "UPDATE_FEATURE", "UPDATE_FEATURE_VARIANTS", "UPDATE_FEATURE_ENVIRONMENT_VARIANTS"])(
    "may be %s, everywhere, in a project, or in an environment",
    (permission) => {
      for (const scope of [{}, { project: "p" }, { environment: "e" }, { project: "p", environment: "e" }]) {
        expect(validate(permitSchema, { permission, ...scope })).toEqual({ value: { permission, ...scope } });
      }
    },
  );

  it("is refused with every issue", () => {
    expect(
      validate(permitSchema, { permission: "admin", project: null, environment: 1, env: "x" }).issues,
    ).toEqual([
      {
        path: "/permission",
        message:
          "must be one of ADMIN, UPDATE_FEATURE, UPDATE_FEATURE_VARIANTS, UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
      },
      { path: "/project", message: "must be a string" },
      { path: "/environment", message: "must be a string" },
      { path: "/env", message: "is not a known member" },
    ]);
  });
});

const defaultProject = { id: "default", environments: ["development"] };
const defaultFeature = { name: "f", project: "default" };
const apiKey = { name: "k", key };
const retiring = { ...apiKey, retiredAt: "2026-01-01T00:00:00Z" };
const expiring = { ...retiring, expiresAt: "2100-01-01T00:00:00Z" };
const environments = { development: { variants: [] }, toString: { variants: [] } };

it.each<[string, object, ...[path: string, message: string][]]>([
  [
    "a name twice",
    {
      projects: [defaultProject, defaultProject],
      features: [defaultFeature, defaultFeature],
      apiKeys: [apiKey, apiKey],
    },
    ["/projects/1/id", '"default" is listed twice'],
    ["/features/1/name", '"f" is listed twice'],
    ["/apiKeys/1/name", '"k" is listed twice'],
  ],
  [
    "a retiring key that does not expire",
    { apiKeys: [retiring] },
    ["/apiKeys/0", "must have expiresAt because it has retiredAt"],
  ],
  [
    "an environment twice in a project",
    { projects: [{ id: "p", environments: ["a", "b", "a"] }] },
    ["/projects/0/environments/2", '"a" is listed twice'],
  ],
  [
    "a feature of a project that is not there",
    { projects: [defaultProject], features: [{ ...defaultFeature, project: "other" }] },
    ["/features/0/project", 'is "other", but there is no such project'],
  ],
  [
    "a feature in an environment that its project has not, and be it an inherited name",
    { projects: [defaultProject], features: [{ ...defaultFeature, environments }] },
    ["/features/0/environments/toString", 'is not an environment of project "default"'],
  ],
  [
    "a key with its hash, and one with neither",
    { apiKeys: [{ ...apiKey, keyHash: "0".repeat(64) }, { name: "neither" }] },
    ["/apiKeys/0", "must have either key or keyHash"],
    ["/apiKeys/1", "must have either key or keyHash"],
  ],
])("a state is refused with %s", (_, state, ...issues) => {
  expect(faultsOf(state)).toEqual(issues.map(([path, message]) => ({ path, message })));
});

it("a state is accepted in which retiring keys have the name of the current one", () => {
  const apiKeys = [{ ...expiring, key: `${apiKey.key}-1` }, { ...expiring, key: `${apiKey.key}-2` }, apiKey];

  expect(faultsOf({ apiKeys })).toBeUndefined();
});

describe("a name", () => {
  it.each([
    ["a project", 2040, (id: string) => faultsOfProject({ id }), "/projects/0/id"],
    ["a feature", 2040, (name: string) => faultsOfFeature({ name }), "/features/0/name"],
    [
      "an environment",
      1012,
      (name: string) => faultsOfProject({ environments: [name] }),
      "/projects/0/environments/0",
    ],
    [
      "an API key",
      2040,
      (name: string) => faultsOf({ apiKeys: [{ name, key: "k".repeat(16) }] }),
      "/apiKeys/0/name",
    ],
  ])("of %s may have %i bytes of UTF-8, and no more", (_, most, faultsOfName, path) => {
    const message = `must have at most ${most} bytes`;

    expect(faultsOfName("x".repeat(most))).toBeUndefined();
    expect(faultsOfName("é".repeat(most / 2))).toBeUndefined();
    expect(faultsOfName("x".repeat(most + 1))).toEqual([{ path, message }]);
    expect(faultsOfName("é".repeat(most / 2 + 1))).toEqual([{ path, message }]);
  });

  it.each(["__proto__", "constructor", "prototype"])("of an environment may not be %s", (name) => {
    const message = "must not be one of __proto__, constructor, prototype";

    expect(faultsOfProject({ environments: [name] })).toEqual([
      { path: "/projects/0/environments/0", message },
    ]);
  });

  it("of a feature's environment is held to the same", () => {
    const path = "/features/0/environments/constructor";
    const message = "must not be one of __proto__, constructor, prototype";
    const environments = { constructor: { variants: [] } };

    expect(faultsOfFeature({ environments })).toEqual([{ path, message }]);
  });
});

describe("what would not fit in an item", () => {
  const message = "would not fit in a stored item (400 KiB)";
  const large = "x".repeat(limits.itemBytes / 2);
  const variant = (name: string) => ({ name, weight: 500, payload: { type: "string", value: large } });

  it("is refused: the environments of a project, the tags of a feature, and its variants in an environment", () => {
    const environments = times(410, (index) => `${index}${"x".repeat(1000)}`);
    const tags = times(7_500, (index) => ({ value: `team-${index}`, type: "x".repeat(50) }));

    expect(faultsOfProject({ environments })).toEqual([{ path: "/projects/0/environments", message }]);
    expect(faultsOfFeature({ tags })).toEqual([{ path: "/features/0/tags", message }]);
    expect(faultsOfFeature({ environments: { e: { variants: [variant("a"), variant("b")] } } })).toEqual([
      { path: "/features/0/environments/e/variants", message },
    ]);
  });

  it("is one byte more than 400 KiB", () => {
    // Each takes a byte more than its name, and their list three.
    const names = times(404, (index) => `${index}`.padEnd(1012, "x"));
    const room = limits.itemBytes - 3 - 404 * 1013 - 1;

    expect(faultsOfProject({ environments: [...names, "y".repeat(room)] })).toBeUndefined();
    expect(faultsOfProject({ environments: [...names, "y".repeat(room + 1)] })).toEqual([
      { path: "/projects/0/environments", message },
    ]);
  });

  it("is each environment by itself, not all together", () => {
    const environments = { e: { variants: [variant("a")] }, f: { variants: [variant("a")] } };

    const projects = [{ id: "p", environments: ["e", "f"] }];

    expect(faultsOf({ projects, features: [{ name: "f", project: "p", environments }] })).toBeUndefined();
  });
});

describe("the permissions of a key", () => {
  it("may be a hundred, and no more", () => {
    const permissions = (count: number) =>
      times(count, (index) => ({ permission: "ADMIN", project: `p${index}` }));
    const keyWith = (count: number) =>
      faultsOf({ apiKeys: [{ name: "k", key: "k".repeat(16), permissions: permissions(count) }] });

    expect(keyWith(100)).toBeUndefined();
    expect(keyWith(101)).toEqual([
      { path: "/apiKeys/0/permissions", message: "must have at most 100 permissions" },
    ]);
  });
});
