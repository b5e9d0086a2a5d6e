/** Parses and formats permissions: PERM, PERM:project, PERM:project:environment. */
import { type Permission, permissionNames } from "../../../../lib/access/permissions.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import { quotedForShell } from "../../../cli/printable.ts";
import { UsageError } from "../../../cli/refusal.ts";

/** "*" means every project, or every environment. */
export function parsePermission(text: string): Permission {
  const [name = "", ...parts] = text.split(":");
  const [project, environment, ...rest] = parts.map((part) => (part === "*" ? undefined : part));
  const permission = permissionNames.find((known) => known === name);
  if (!permission) {
    throw new UsageError(
      `"${name}" is not a permission${didYouMean(name, permissionNames)}; the permissions are ${permissionNames.join(", ")}`,
    );
  }
  if (rest.length > 0) {
    throw new UsageError(
      `"${text}" has too many colons; write PERM, PERM:project or PERM:project:environment`,
    );
  }
  // This is most likely an unset variable of a script, which must not widen the permission.
  if (project === "" || environment === "") {
    const missing = project === "" ? "project" : "environment";
    throw new UsageError(`"${text}" names no ${missing}: name it, or write * for every ${missing}`);
  }
  return { permission, ...(project && { project }), ...(environment && { environment }) };
}

/** Puts a name that has a colon in quotes: two different permissions never look the same. */
export function formatPermission({ permission, project, environment }: Permission): string {
  const scope = environment === undefined ? [project] : [project ?? "*", environment];
  const names = scope.filter((name) => name !== undefined);
  return [permission, ...names.map((name) => (name.includes(":") ? JSON.stringify(name) : name))].join(":");
}

/** The command that makes a key with these permissions. */
export function createCommand(name: string, permissions: readonly Permission[]): string {
  const scopes = permissions.map(
    (permission) => ` --permission ${quotedForShell(formatPermission(permission))}`,
  );
  return `key create ${quotedForShell(name)}${scopes.join("")}`;
}
