/** The permissions of an API key, everywhere or in a part of the service. */
import * as z from "zod/mini";

export const permissionSchema = z.enum([
  /** All of the others. */
  "ADMIN",
  "UPDATE_FEATURE",
  "UPDATE_FEATURE_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
]);

/** Without a project it applies in every project, without an environment in every environment. */
export const permitSchema = z.strictObject({
  permission: permissionSchema,
  project: z.exactOptional(z.string()),
  environment: z.exactOptional(z.string()),
});

export type Permission = z.infer<typeof permissionSchema>;
export type Permit = z.infer<typeof permitSchema>;
