/** Parses and formats permissions: PERM, PERM:project, PERM:project:environment. */
import { type Permission, type Permit, permissionSchema } from "../../lib/contract/permissions.ts";
import { UsageError } from "../refusal.ts";
import { didYouMean } from "./terminal/nearest.ts";

/** Permissions that cannot be limited to an environment. */
const ofProjects: ReadonlySet<Permission> = new Set(["UPDATE_FEATURE", "UPDATE_FEATURE_VARIANTS"]);

/** An empty project before an environment means every project: PERM::environment. */
export function parsePermit(text: string): Permit {
  const [name = "", project, environment, ...rest] = text.split(":");
  const { data: permission } = permissionSchema.safeParse(name);
  if (!permission) {
    const known = permissionSchema.options;
    throw new UsageError(
      `"${name}" is not a permission${didYouMean(name, known)}; the permissions are ${known.join(", ")}`,
    );
  }
  if (rest.length > 0) {
    throw new UsageError(
      `"${text}" has too many colons; write PERM, PERM:project or PERM:project:environment`,
    );
  }
  // Most likely an unset variable of a script, which must not widen the permission.
  if (text.endsWith(":")) {
    const missing = environment === undefined ? "project" : "environment";
    throw new UsageError(`"${text}" names no ${missing}: name it, or leave the colon out`);
  }
  if (environment !== undefined && ofProjects.has(permission)) {
    throw new UsageError(`${permission} applies to a project; limited to an environment it permits nothing`);
  }
  return { permission, ...(project && { project }), ...(environment && { environment }) };
}

export function formatPermit({ permission, project, environment }: Permit): string {
  if (environment !== undefined) return `${permission}:${project ?? ""}:${environment}`;
  return project === undefined ? permission : `${permission}:${project}`;
}
