/** Reads from the API what a command names, or refuses the name. */
import type * as z from "zod/mini";
import { NotFoundError } from "../../../../lib/contract/errors.ts";
import { changesSchema } from "../../../../lib/contract/responses/changes.ts";
import { featureSchema } from "../../../../lib/contract/responses/features.ts";
import {
  featuresSchema,
  featuresWithEnvironmentsSchema,
  projectsSchema,
} from "../../../../lib/contract/responses/lists.ts";
import { didYouMean, didYouMeanOr } from "../../../cli/did-you-mean.ts";
import { withProgress } from "../../../cli/progress.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { type Api, type ApiResponse, request } from "../../api/api.ts";
import { namesInPath, pathOf } from "../../api/path.ts";

export type FeatureResponse = z.output<typeof featureSchema>;
export type FoundEnvironment = FeatureResponse["environments"][number];

export interface FeatureOptions {
  project?: string | undefined;
}

/** Asks each project that the caller may read: names of features are unique, but a path has the project too. */
export async function lookUpFeature(
  api: Api,
  name: string,
  { project }: FeatureOptions = {},
): Promise<{ feature: FeatureResponse; headers: ApiResponse["headers"]; raw: unknown }> {
  const projects = project === undefined ? await projectIds(api) : [project];
  const found = await Promise.all(projects.map((id) => readFeature(api, id, name)));
  const feature = found.find((one) => one !== undefined);
  if (feature) return feature;
  const others = (await Promise.all(projects.map((id) => featureNames(api, id)))).flat();
  const where = project === undefined ? "" : ` in project "${project}"`;
  throw new Refusal(`there is no feature "${name}"${where}${didYouMean(name, others)}`);
}

/** Returns undefined if the project has no feature of this name. */
export async function readFeature(api: Api, project: string, name: string) {
  const path = pathOfFeature({ project, name });
  const read = await unlessGone(request(api, featureSchema, { method: "GET", path }));
  return read && { feature: read.body, headers: read.headers, raw: read.raw };
}

/** Returns undefined for what was deleted since a list named it. */
export async function unlessGone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

export async function getProjects(api: Api): Promise<z.output<typeof projectsSchema>["projects"]> {
  return (await request(api, projectsSchema, { method: "GET", path: pathOf(["projects"]) })).body.projects;
}

async function projectIds(api: Api): Promise<string[]> {
  return (await getProjects(api)).map(({ id }) => id);
}

/** Returns the project of a command that needs one: the named one, or the only one that the API key may read. */
export async function projectMeant(api: Api, project: string | undefined): Promise<string> {
  const [only = "", ...others] = project === undefined ? await projectIds(api) : [project];
  if (others.length > 0) throw new UsageError(`give --project, one of: ${[only, ...others].join(", ")}`);
  if (only === "") throw new Refusal("there is no project");
  return only;
}

/** Returns the projects that a command is about: the named one, or all. */
export async function projectsNamed(api: Api, project: string | undefined): Promise<string[]> {
  const known = await projectIds(api);
  if (project === undefined) return known;
  if (known.includes(project)) return [project];
  throw new Refusal(`there is no project "${project}"${didYouMeanOr(project, known, "known projects:")}`);
}

export async function featureNames(api: Api, project: string): Promise<string[]> {
  const pages = await readPages(api, project, featuresSchema, {});
  return pages.map(({ name }) => name);
}

const concurrency = 8;

/** Reads some at once, and returns them in the order of the names. */
export function readEach<Result>(
  names: readonly string[],
  read: (name: string) => Promise<Result>,
): Promise<Result[]> {
  return withProgress("Features read:", names.length, async (reach) => {
    const results: Result[] = [];
    while (results.length < names.length) {
      const some = names.slice(results.length, results.length + concurrency);
      results.push(...(await Promise.all(some.map(read))));
      reach(results.length);
    }
    return results;
  });
}

export function featuresIn(api: Api, project: string) {
  return readPages(api, project, featuresWithEnvironmentsSchema, { with: "environments", limit: "200" });
}

type Page<Feature> = z.ZodMiniType<{ features: Feature[]; next?: string | undefined }>;

async function readPages<Feature>(
  api: Api,
  project: string,
  schema: Page<Feature>,
  query: Record<string, string>,
): Promise<Feature[]> {
  const features: Feature[] = [];
  let after: string | undefined = "";
  while (after !== undefined) {
    const path = pathOf(["projects", project, "features"], { ...query, ...(after && { after }) });
    const { body }: { body: z.output<Page<Feature>> } = await request(api, schema, { method: "GET", path });
    features.push(...body.features);
    after = body.next;
  }
  return features;
}

export function getChanges(
  api: Api,
  feature: Pick<FeatureResponse, "project" | "name">,
  environment?: string,
) {
  const path = pathOfFeature(feature, environment, "variants", "changes");
  return request(api, changesSchema, { method: "GET", path });
}

/** Makes the path of the feature, or of one of its environments, with what is below it. */
export function pathOfFeature(
  { project, name }: Pick<FeatureResponse, "project" | "name">,
  environment?: string,
  ...below: readonly string[]
): string {
  return pathOf(namesInPath({ project, feature: name, environment }, ...below));
}

/** Refuses an environment that the feature does not have. */
export function requireEnvironment(
  { name, environments }: FeatureResponse,
  wanted: string,
): FoundEnvironment {
  const found = environments.find(({ environment }) => environment === wanted);
  if (found) return found;
  const names = environments.map(({ environment }) => environment);
  throw new Refusal(
    `the feature "${name}" has no environment "${wanted}"${didYouMeanOr(wanted, names, "it has")}`,
  );
}

export interface WhereOptions {
  environment?: string;
  all?: boolean;
}

/** Returns the environment of `--environment NAME`, or undefined for `--all`. */
export function environmentGiven({ environment, all = false }: WhereOptions): string | undefined {
  if (environment !== undefined && all) throw new UsageError("give --environment or --all, not both");
  if (environment === undefined && !all) throw new UsageError("give --environment or --all");
  return environment;
}
