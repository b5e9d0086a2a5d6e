/** What is wrong with a state though each of its fields is right. */
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { validate } from "../../../lib/contract/validate.ts";

const project = { id: "default", environments: ["development"] };
const feature = { name: "f", project: "default" };
const apiKey = { name: "k", key: "a-key-of-sixteen-characters" };
const retiring = { ...apiKey, retiredAt: "2026-01-01T00:00:00Z" };
const expiring = { ...retiring, expiresAt: "2100-01-01T00:00:00Z" };
const environments = { development: { variants: [] }, toString: { variants: [] } };

it.each<[string, object, ...[path: string, message: string][]]>([
  [
    "a name twice",
    { projects: [project, project], features: [feature, feature], apiKeys: [apiKey, apiKey] },
    ["/projects/1/id", '"default" is there twice'],
    ["/features/1/name", '"f" is there twice'],
    ["/apiKeys/1/name", '"k" is there twice'],
  ],
  [
    "a retiring key that does not expire",
    { apiKeys: [retiring] },
    ["/apiKeys/0", "must have expiresAt because it has retiredAt"],
  ],
  [
    "an environment twice in a project",
    { projects: [{ id: "p", environments: ["a", "b", "a"] }] },
    ["/projects/0/environments/2", '"a" is there twice'],
  ],
  [
    "a feature of a project that is not there",
    { projects: [project], features: [{ ...feature, project: "other" }] },
    ["/features/0/project", 'is "other", which is no project here'],
  ],
  [
    "a feature in an environment that its project has not, and be it an inherited name",
    { projects: [project], features: [{ ...feature, environments }] },
    ["/features/0/environments/toString", 'is not an environment of project "default"'],
  ],
  [
    "a key with its hash, and one with neither",
    { apiKeys: [{ ...apiKey, keyHash: "0".repeat(64) }, { name: "neither" }] },
    ["/apiKeys/0", "must have either key or keyHash"],
    ["/apiKeys/1", "must have either key or keyHash"],
  ],
])("a state is refused with %s", (_, state, ...issues) => {
  expect(validate(stateSchema, state).issues).toEqual(issues.map(([path, message]) => ({ path, message })));
});

it("a state is accepted in which retiring keys have the name of the current one", () => {
  const apiKeys = [{ ...expiring, key: `${apiKey.key}-1` }, { ...expiring, key: `${apiKey.key}-2` }, apiKey];

  expect(validate(stateSchema, { apiKeys }).issues).toBeUndefined();
});
