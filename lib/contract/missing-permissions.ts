/** The permissions that the API key of a dry run lacks for the request itself. */
import * as z from "zod/mini";

/** A permission that the API key lacks for the request itself. */
export const missingPermissionSchema = z.object({
  /** The name of the permission. */
  permission: z.string(),
  /** The environment in which it is missing; absent if it is missing in the whole project. */
  environment: z.exactOptional(z.string()),
});

export const missingPermissionsMember = z.exactOptional(z.array(missingPermissionSchema));
