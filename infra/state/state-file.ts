/** Reads and validates a state file: its lists must not contradict themselves or each other. */
import { hashKey } from "../../lib/access/authenticate.ts";
import { findJsonIssues } from "../../lib/contract/json.ts";
import { limits } from "../../lib/contract/limits.ts";
import { validate } from "../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../cli/json-file.ts";
import { Refusal } from "../cli/refusal.ts";
import { listsSchema, type State } from "./state-file-schemas.ts";

export const stateSchema = listsSchema.check(({ value, issues }) => {
  for (const { path, message } of contradictions(value)) {
    issues.push({ code: "custom", path: [...path], message, input: value });
  }
});

export async function readStateFile(file: string): Promise<State> {
  return checkState(await readState(file), sourceOf(file));
}

export function readState(file: string): Promise<unknown> {
  return readJsonFile(file);
}

/** `source` names the origin of the state in the message. */
export function checkState(input: unknown, source: string): State {
  const { value: state, issues = [] } = validate(stateSchema, input);
  const all = [...findJsonIssues(input), ...issues];
  if (state && all.length === 0) return state;
  const lines = all.slice(0, limits.listedIssues).map(({ path, message }) => `  ${path || "/"} ${message}`);
  if (all.length >= limits.listedIssues) lines.push("  and possibly more");
  throw new Refusal(`${source} is not a state file:\n${lines.join("\n")}`);
}

interface Contradiction {
  path: readonly PropertyKey[];
  message: string;
}

function* contradictions(state: State): Generator<Contradiction> {
  const { projects, features, apiKeys } = state;
  const currentKeys = apiKeys.map(({ name, retiredAt }) => (retiredAt === undefined ? name : undefined));
  const projectIds = projects.map(({ id }) => id);
  const featureNames = features.map(({ name }) => name);
  yield* repeated(["projects"], projectIds, ["id"]);
  yield* repeated(["features"], featureNames, ["name"]);
  yield* repeated(["apiKeys"], currentKeys, ["name"]);
  for (const [index, { environments }] of projects.entries()) {
    yield* repeated(["projects", index, "environments"], environments, []);
  }
  yield* danglingReferences(state);
  // A key and its hash are the same key.
  const hashes = apiKeys.map(({ key, keyHash = key && hashKey(key) }) => keyHash);
  yield* repeated(["apiKeys"], hashes, [], (_, first) => `is the same key as /apiKeys/${first}`);
  for (const [index, { key, keyHash, expiresAt, retiredAt }] of apiKeys.entries()) {
    const path = ["apiKeys", index];
    if ((key === undefined) === (keyHash === undefined)) {
      yield { path, message: "must have either key or keyHash" };
    }
    if (retiredAt !== undefined && expiresAt === undefined) {
      yield { path, message: "must have expiresAt because it has retiredAt" };
    }
  }
}

/** Features whose project is missing, and environments that their project lacks. */
export function* danglingReferences({ projects, features }: State): Generator<Contradiction> {
  const known = new Map(projects.map(({ id, environments }) => [id, new Set(environments)]));
  for (const [index, { project, environments = {} }] of features.entries()) {
    const path = ["features", index];
    const ofProject = known.get(project);
    if (!ofProject) {
      yield {
        path: [...path, "project"],
        message: `is "${project}", which is not among the projects of this file`,
      };
      continue;
    }
    for (const name of Object.keys(environments).filter((name) => !ofProject.has(name))) {
      const message = `is not an environment of project "${project}"`;
      yield { path: [...path, "environments", name], message };
    }
  }
}

function* repeated(
  list: Contradiction["path"],
  names: readonly (string | undefined)[],
  member: readonly string[],
  describe = (name: string, _first: number) => `"${name}" is listed twice`,
): Generator<Contradiction> {
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else yield { path: [...list, index, ...member], message: describe(name, first) };
  }
}
