/** Makes the paths of the API's requests, for the commands, the MCP server and the page /patch. */
import { ValidationError } from "../../../lib/contract/errors.ts";

/** The names of a path below /api/admin, and its query. */
export interface ApiPath {
  names: readonly string[];
  query?: Readonly<Record<string, string>>;
}

/** Says why a path of these names would lead elsewhere, or returns "". In a URL "." and ".." are steps to another path. */
export function pathIssue(names: readonly string[]): string {
  const wrong = names.find((name) => /^\.{0,2}$/.test(name) || !name.isWellFormed());
  return wrong === undefined ? "" : `"${wrong}" cannot be a name in a path`;
}

/** Makes a path such as `/api/admin/projects/default` of its names. */
export function pathOf(names: ApiPath["names"], query: ApiPath["query"] = {}): string {
  const issue = pathIssue(names);
  if (issue !== "") throw new ValidationError(issue);
  const search = new URLSearchParams(query).toString();
  return `/api/admin/${names.map(encodeURIComponent).join("/")}${search && `?${search}`}`;
}

interface NamedPlace {
  project: string;
  feature: string;
  /** Undefined for the feature in all of its environments. */
  environment?: string | undefined;
}

/** Returns the names in the path of a feature, or of one of its environments, with what is below it. */
export function namesInPath(
  { project, feature, environment }: NamedPlace,
  ...below: readonly string[]
): string[] {
  const scope = environment === undefined ? [] : ["environments", environment];
  return ["projects", project, "features", feature, ...scope, ...below];
}
