/** Lists of projects and of features. */
import * as z from "zod/mini";
import { tagSchema } from "../tags.ts";
import { namelessVariantSchema, variantSchema } from "../variants.ts";
import { guardSchema } from "./guards.ts";
import { versionMember } from "./members.ts";

/** A project. */
export const projectSchema = z.object({
  /** Its id, as in a path. */
  id: z.string(),
  /** The names of its environments, in order. */
  environments: z.array(z.string()),
});

/** The projects that a key may read. */
export const projectsSchema = z.object({
  ...versionMember,
  /** The projects in order of id. */
  projects: z.array(projectSchema),
});

/** A feature in a list. */
export const listedFeatureSchema = z.object({
  /** The name of the feature. */
  name: z.string(),
  /** The tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** The names of its environments, in the project's order. */
  environments: z.array(z.string()),
});

/** A strategy in a list, with the number of its constraints in place of the constraints. */
export const listedStrategySchema = z.object({
  /** The name of a strategy of Unleash, such as `flexibleRollout`. */
  name: z.string(),
  /** Whether the documents of SDKs leave the strategy out. */
  disabled: z.exactOptional(z.boolean()),
  /** The strategy's parameters, such as `rollout`, `stickiness` and `groupId`. */
  parameters: z.record(z.string(), z.string()),
  /** The number of constraints that a user has to meet. */
  constraintCount: z.int(),
  /** The strategy's own variants, in the order in which SDKs give out their shares. */
  variants: z.array(z.object({ name: z.string(), weight: z.int() })),
});

/** A feature in an environment, in a list. */
export const listedEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** Whether the feature is on there. */
  enabled: z.boolean(),
  /** The variants of the environment, in order of name. */
  variants: z.array(variantSchema),
  /** The strategies that restrict for whom the feature is on, in their order; absent if none does. */
  strategies: z.exactOptional(z.array(listedStrategySchema)),
  /** The number of features that it depends on; absent if there are none. */
  dependencyCount: z.exactOptional(z.int()),
  /** Whether flagd's own logic decides in flagd's document; absent if that is made from the rest. */
  hasTargeting: z.exactOptional(z.boolean()),
  /** The guard of the newest change in effect. Its time may have ended. */
  guard: z.exactOptional(guardSchema),
});

/** A feature in an environment, in a list by name. */
export const listedEnvironmentByNameSchema = z.object({
  ...listedEnvironmentSchema.shape,
  /** The variants of the environment by name, each without its `name`. */
  variants: z.record(z.string(), namelessVariantSchema),
});

/** A feature in a list, with its environments. */
export const featureWithEnvironmentsSchema = z.object({
  ...listedFeatureSchema.shape,
  /** Its environments, in the project's order: those that fit in a response. */
  environments: z.array(listedEnvironmentSchema),
  /** True if it has more environments, which can be read one by one; otherwise absent. */
  more: z.exactOptional(z.boolean()),
});

/** A feature in a list, with its environments by name. */
export const featureWithEnvironmentsByNameSchema = z.object({
  ...featureWithEnvironmentsSchema.shape,
  /** Its environments, in the project's order: those that fit in a response. */
  environments: z.array(listedEnvironmentByNameSchema),
});

/** A page of the features of a project. */
export const featuresSchema = z.object({
  ...versionMember,
  /** The features in order of name, by code points. */
  features: z.array(listedFeatureSchema),
  /** The name to send as `after` for the next page; absent if there is none. */
  next: z.exactOptional(z.string()),
});

/** A page of the features of a project, each with the content of its environments (`with=environments`). */
export const featuresWithEnvironmentsSchema = z.object({
  ...featuresSchema.shape,
  /** Generated clients distinguish the two bodies by this member, which a list without environments lacks. */
  with: z.literal("environments"),
  /** The features in order of name, by code points. A page may have fewer features than its limit. */
  features: z.array(featureWithEnvironmentsSchema),
});

/** A page of the features of a project with their environments, whose variants are keyed by name (`by=name`). */
export const featuresWithEnvironmentsByNameSchema = z.object({
  ...featuresWithEnvironmentsSchema.shape,
  /** The form of the variants; a list by index has none. Generated clients distinguish the two forms by it. */
  by: z.literal("name"),
  /** The features in order of name, by code points. A page may have fewer features than its limit. */
  features: z.array(featureWithEnvironmentsByNameSchema),
});

export type ListedStrategy = z.infer<typeof listedStrategySchema>;
export type Project = z.infer<typeof projectSchema>;
export type Projects = z.infer<typeof projectsSchema>;
export type ListedFeature = z.infer<typeof listedFeatureSchema>;
export type Features = z.infer<typeof featuresSchema>;
export type FeatureWithEnvironments = z.infer<typeof featureWithEnvironmentsSchema>;
export type FeaturesWithEnvironments = z.infer<typeof featuresWithEnvironmentsSchema>;
export type FeaturesWithEnvironmentsByName = z.infer<typeof featuresWithEnvironmentsByNameSchema>;
