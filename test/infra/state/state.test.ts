import { describe, expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { permitSchema } from "../../../lib/contract/permissions.ts";
import { validate } from "../../../lib/contract/validate.ts";

const key = "a-key-of-sixteen-characters";
const faultsOf = (state: unknown) => validate(stateSchema, state).issues;
const faultsOfKey = (members: object) => faultsOf({ apiKeys: [{ name: "k", key, ...members }] });
const faultsOfFeature = (members: object) =>
  faultsOf({
    projects: [{ id: "default", environments: ["development"] }],
    features: [{ name: "f", project: "default", ...members }],
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

  it("is told every fault that it has, each with its place", () => {
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
    expect(faultsOfFeature({ environments: { development: [] } })).toEqual([
      { path: `${path}/development`, message: "must be an object" },
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

  it("is told every fault that it has", () => {
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
