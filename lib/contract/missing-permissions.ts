/** What an API key lacks for the request itself, in dry runs. */
import * as z from "zod/mini";

/** A permission that the API key lacks for the request itself. */
export const missingPermissionSchema = z.object({
  /** The name of the permission. */
  permission: z.string(),
  /** The environment in which it is missing; absent if it is missing in the whole project. */
  environment: z.exactOptional(z.string()),
});

export const missingPermissionsMember = z.exactOptional(z.array(missingPermissionSchema));
