/** Exports of Unleash: the recorded ones, and others of the same shape. */
import type { newFolder } from "./command-line.ts";

/** Of a running Unleash 6.10.1. */
export const recorded = ["development", "production"].map(
  (environment) => `test/infra/admin/data/unleash-export-6.10.1-${environment}.json`,
);

interface Part {
  features?: object[];
  lists?: Record<string, unknown[]>;
  environment?: string;
  tags?: [feature: string, type: string, value: string][];
  more?: object;
}

/** An export of one environment in which these features have these variants. */
export function exportOf(
  folder: ReturnType<typeof newFolder>,
  name: string,
  { features, lists = {}, environment = "development", tags = [], more }: Part,
): string {
  return folder.file(`${name}.json`, {
    features:
      features ??
      Object.keys(lists).map((feature) => ({ name: feature, project: "default", archived: false })),
    featureEnvironments: Object.entries(lists).map(([featureName, variants]) => ({
      featureName,
      environment,
      variants,
      name: featureName,
      enabled: false,
    })),
    featureTags: tags.map(([featureName, tagType, tagValue]) => ({ featureName, tagType, tagValue })),
    ...more,
  });
}
