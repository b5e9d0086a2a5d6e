/** Defines the tools that read. */
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Tags } from "../../../lib/contract/responses/features.ts";
import type {
  Features,
  FeaturesWithEnvironmentsByName,
  Projects,
} from "../../../lib/contract/responses/lists.ts";
import type { Api } from "../api/api.ts";
import { pathOf } from "../api/path.ts";
import { notice, pathTo, sendAboutPlace, sendRequest } from "./requests.ts";
import { omitEnvironments, toFeatures, toProjects, toResult, toTags, withFirstTags } from "./results.ts";
import { toTool } from "./tool.ts";
import * as schemas from "./tool-schemas.ts";

export function addReadTools(server: McpServer, api: Api): void {
  const get = (path: string) => sendRequest(api, { method: "GET", path });

  const projectsText = "Lists the projects that the key may read; there may be others.";
  server.registerTool("list_projects", toTool(projectsText, schemas.nothing, schemas.projects), async () => {
    const { body } = await get(pathOf(["projects"]));
    return toResult({ notice, ...toProjects((body as Projects).projects) });
  });

  const featuresText =
    "Lists the features of a project with their tags and environments, a page at a time; on request, with what each is there.";
  const features = toTool(featuresText, schemas.listOptions, schemas.features);
  server.registerTool("list_features", features, async ({ project, after = "", with: content }) => {
    const query = { after, ...(content && { with: content, by: "name" }) };
    const { body } = await get(pathOf(["projects", project, "features"], query));
    return toResult({ notice, ...toFeatures(body as Features | FeaturesWithEnvironmentsByName) });
  });

  const tagsText = "Reads all tags of a feature.";
  server.registerTool(
    "read_tags",
    toTool(tagsText, schemas.featureName, schemas.tags),
    async ({ feature }) => {
      const { body } = await get(pathOf(["features", feature, "tags"]));
      return toResult({ notice, ...toTags((body as Tags).tags) });
    },
  );

  const featureText =
    "Reads a feature: its first tags, and in each environment whether it is on, for whom, and its variants by name.";
  const whole = toTool(featureText, schemas.feature, schemas.wholeFeature);
  server.registerTool("read_feature", whole, async (feature) => {
    const { body, headers } = await get(pathTo(feature, [], { by: "name" }));
    const first = withFirstTags(body as z.output<typeof schemas.wholeFeature>);
    const read = z.parse(schemas.wholeFeature, { ...first, notice, omitted: [], etag: headers.etag });
    return toResult(omitEnvironments(read, [read]));
  });

  const readText = "Reads the variants of a feature, by name, in each of its environments.";
  server.registerTool("read_variants", toTool(readText, schemas.place, schemas.variants), async (place) => {
    const path = pathTo(place, ["variants"], { by: "name", dryRun: "true" });
    const read = z.parse(schemas.variants, await sendAboutPlace(api, { method: "PATCH", path, body: [] }));
    return toResult(omitEnvironments(read, [read]));
  });

  const changesText = "Lists the last changes of a feature: what each did, who made it and why.";
  server.registerTool("list_changes", toTool(changesText, schemas.place, schemas.changes), async (place) => {
    const request = { method: "GET", path: pathTo(place, ["variants", "changes"]) } as const;
    const list = z.parse(schemas.changes, await sendAboutPlace(api, request));
    return toResult(omitEnvironments(list, list.changes));
  });
}
