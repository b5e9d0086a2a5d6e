/** Reads the projects and features that an API key may read, in the form of the table's content; the API has no API keys. */
import { formatTargeting } from "../../../../lib/features/model.ts";
import type { FeatureContent, TableContent } from "../../../store/content.ts";
import type { Api } from "../../api/api.ts";
import { requireScope } from "../require-scope.ts";
import { type FeatureResponse, featureNames, getProjects, readEach, readFeature } from "./find.ts";

export async function readContentOfApi(api: Api, project: string | undefined): Promise<TableContent> {
  const all = new Map((await getProjects(api)).map(({ id, environments }) => [id, environments] as const));
  requireScope(all, { project });
  const projects = new Map([...all].filter(([id]) => id === (project ?? id)));
  const features = new Map<string, FeatureContent>();
  for (const id of projects.keys()) {
    for (const feature of await featuresOf(api, id)) features.set(feature.name, feature);
  }
  return { projects, features, apiKeys: [] };
}

async function featuresOf(api: Api, project: string): Promise<FeatureContent[]> {
  const read = await readEach(await featureNames(api, project), (name) => readFeature(api, project, name));
  // A feature that was deleted since the list was read is left out.
  return read.flatMap((one) => (one ? [toFeatureContent(one.feature)] : []));
}

export function toFeatureContent({ name, project, tags, environments }: FeatureResponse): FeatureContent {
  const contents = environments.map(
    ({ environment, etag: _, dependencies = [], targeting = null, ...rest }) => {
      const content = { ...rest, dependencies, targeting: formatTargeting(targeting) };
      return [environment, content] as const;
    },
  );
  return { name, project, tags, environments: new Map(contents) };
}
