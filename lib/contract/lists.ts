/** Lists of projects and of features. */
import * as z from "zod/mini";
import { tagSchema } from "./tags.ts";

/** A project. */
export const projectSchema = z.object({
  /** Its id, as in a path. */
  id: z.string(),
  /** The names of its environments, in order. */
  environments: z.array(z.string()),
});

/** The projects that a key may read. */
export const projectsSchema = z.object({
  version: z.int(),
  /** In order of id. */
  projects: z.array(projectSchema),
});

/** A feature in a list. */
export const listedFeatureSchema = z.object({
  /** The name of the feature. */
  name: z.string(),
  /** All tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** The names of its environments, in the project's order. */
  environments: z.array(z.string()),
});

/** A page of the features of a project. */
export const featuresSchema = z.object({
  version: z.int(),
  /** In order of name, by code points. */
  features: z.array(listedFeatureSchema),
  /** There are more: the name to send as `after` for the next page. */
  next: z.exactOptional(z.string()),
});

export type Project = z.infer<typeof projectSchema>;
export type Projects = z.infer<typeof projectsSchema>;
export type ListedFeature = z.infer<typeof listedFeatureSchema>;
export type Features = z.infer<typeof featuresSchema>;
