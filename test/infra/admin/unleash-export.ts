/** Exports of Unleash: the recorded ones, and others of the same shape. */
import type { Tag } from "../../../lib/contract/tags.ts";
import { newFolder } from "./command-line.ts";

/** Of a running Unleash 6.10.1. */
export const recorded = ["development", "production"].map(
  (environment) => `test/infra/admin/data/unleash-export-6.10.1-${environment}.json`,
);

/** A file with an export of one environment in which these features have these variants. */
export function exportOf(
  lists: Record<string, unknown[]>,
  {
    environment = "development",
    /** The names of all of them, also of those without variants. */
    features = Object.keys(lists),
    archived = [] as string[],
    tags = {} as Record<string, Tag[]>,
    more = {},
  } = {},
): string {
  return newFolder().file("export.json", {
    features: features.map((name) => ({ name, project: "default", archived: archived.includes(name) })),
    featureEnvironments: Object.entries(lists).map(([name, variants]) => {
      return { featureName: name, environment, variants, name, enabled: false };
    }),
    featureTags: Object.entries(tags).flatMap(([featureName, tags]) =>
      tags.map(({ type, value }) => ({ featureName, tagType: type, tagValue: value })),
    ),
    ...more,
  });
}
