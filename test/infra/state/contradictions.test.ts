/** What is wrong with a state though each of its fields is right. */
import { describe, expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { validate } from "../../../lib/contract/validate.ts";

const project = { id: "default", environments: ["development"] };
const key = "a-key-of-sixteen-characters";
const faultsOf = (state: unknown) => validate(stateSchema, state).issues;

describe("a state contradicts itself", () => {
  it("where a name is given twice", () => {
    const feature = { name: "f", project: "default" };
    const apiKey = { name: "k", key };

    const issues = faultsOf({
      projects: [project, project],
      features: [feature, feature],
      apiKeys: [apiKey, apiKey],
    });

    expect(issues).toEqual([
      { path: "/projects/1/id", message: '"default" is listed twice' },
      { path: "/features/1/name", message: '"f" is listed twice' },
      { path: "/apiKeys/1/name", message: '"k" is listed twice' },
    ]);
  });

  it("not where retiring keys have the name of the current one", () => {
    const end = { expiresAt: "2100-01-01T00:00:00Z", retiredAt: "2026-01-01T00:00:00Z" };
    const retiring = [`${key}-1`, `${key}-2`].map((old) => ({ name: "k", key: old, ...end }));

    expect(faultsOf({ apiKeys: [...retiring, { name: "k", key }] })).toBeUndefined();
  });

  it("where a retiring key does not expire", () => {
    expect(faultsOf({ apiKeys: [{ name: "k", key, retiredAt: "2026-01-01T00:00:00Z" }] })).toEqual([
      { path: "/apiKeys/0", message: "must have expiresAt because it has retiredAt" },
    ]);
  });

  it("where a project has an environment twice", () => {
    expect(faultsOf({ projects: [{ id: "p", environments: ["a", "b", "a"] }] })).toEqual([
      { path: "/projects/0/environments/2", message: '"a" is listed twice' },
    ]);
  });

  it("where a feature is of a project that is not there", () => {
    expect(faultsOf({ projects: [project], features: [{ name: "f", project: "other" }] })).toEqual([
      { path: "/features/0/project", message: 'is "other", but there is no such project' },
    ]);
  });

  it("where a feature has an environment that its project has not, and be it an inherited name", () => {
    const environments = { development: { variants: [] }, toString: { variants: [] } };

    expect(
      faultsOf({ projects: [project], features: [{ name: "f", project: "default", environments }] }),
    ).toEqual([
      { path: "/features/0/environments/toString", message: 'is not an environment of project "default"' },
    ]);
  });

  it("where an API key has both its key and the hash of it, or neither", () => {
    const apiKeys = [{ name: "both", key, keyHash: "0".repeat(64) }, { name: "neither" }];

    expect(faultsOf({ apiKeys })).toEqual([
      { path: "/apiKeys/0", message: "must have either key or keyHash" },
      { path: "/apiKeys/1", message: "must have either key or keyHash" },
    ]);
  });
});
