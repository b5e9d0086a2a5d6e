/** Parses and formats permissions: PERM, PERM:project, PERM:project:environment. */
import { type Permit, permissions } from "../../lib/access/permissions.ts";
import { didYouMean } from "../cli/did-you-mean.ts";
import { quoted } from "../cli/printable.ts";
import { UsageError } from "../cli/refusal.ts";

/** "*" is every project, or every environment. */
export function parsePermit(text: string): Permit {
  const [name = "", ...parts] = text.split(":");
  const [project, environment, ...rest] = parts.map((part) => (part === "*" ? undefined : part));
  const permission = permissions.find((known) => known === name);
  if (!permission) {
    throw new UsageError(
      `"${name}" is not a permission${didYouMean(name, permissions)}; the permissions are ${permissions.join(", ")}`,
    );
  }
  if (rest.length > 0) {
    throw new UsageError(
      `"${text}" has too many colons; write PERM, PERM:project or PERM:project:environment`,
    );
  }
  // Most likely an unset variable of a script, which must not widen the permission.
  if (project === "" || environment === "") {
    const missing = project === "" ? "project" : "environment";
    throw new UsageError(`"${text}" names no ${missing}: name it, or write * for every ${missing}`);
  }
  return { permission, ...(project && { project }), ...(environment && { environment }) };
}

/** A name that has a colon is in quotes: two different permissions never look the same. */
export function formatPermit({ permission, project, environment }: Permit): string {
  const scope = environment === undefined ? [project] : [project ?? "*", environment];
  const names = scope.filter((name) => name !== undefined);
  return [permission, ...names.map((name) => (name.includes(":") ? JSON.stringify(name) : name))].join(":");
}

/** The command that makes a key with these permissions. */
export function createCommand(name: string, permits: readonly Permit[]): string {
  const scopes = permits.map((permit) => ` --permission ${quoted(formatPermit(permit))}`);
  return `key create ${quoted(name)}${scopes.join("")}`;
}
