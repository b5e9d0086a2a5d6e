/** Exports of Unleash: the recorded ones, and others of the same shape. */
import type { Tag } from "../../../lib/contract/tags.ts";
import { newFolder } from "./command-line.ts";

/** Of a running Unleash 6.10.1. */
export const recorded = ["development", "production"].map(
  (environment) => `test/infra/admin/data/unleash-export-6.10.1-${environment}.json`,
);

interface Part {
  lists?: Record<string, unknown[]>;
  environment?: string;
  /** The names of all of them, also of those without variants. */
  features?: string[];
  archived?: string[];
  tags?: Record<string, Tag[]>;
  more?: object;
}

/** A file with an export of one environment in which these features have these variants. */
export function exportOf({
  lists = {},
  environment = "development",
  features = Object.keys(lists),
  archived = [],
  tags = {},
  more,
}: Part): string {
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
