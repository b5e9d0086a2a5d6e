/** The errors for what a path names and the table does not have. */
import { NotFoundError } from "./errors.ts";

export function requireProject<Project>(project: Project | undefined, id: string): Project {
  if (project === undefined) throw new NotFoundError(`There is no project "${id}"`);
  return project;
}

export const notInProject = (project: string, kind: "environment" | "feature", name: string) =>
  new NotFoundError(`Project "${project}" has no ${kind} "${name}"`);
