/** Lists the projects that a caller may read, and the features of one. */
import { type Caller, readableProjects } from "../access/permissions.ts";
import { NotFoundError } from "../contract/errors.ts";
import type { ListedFeature, Project } from "../contract/lists.ts";
import { sortTags } from "./tag-list.ts";

export interface ListReader {
  readProjects(): Promise<readonly Project[]>;

  readProject(id: string): Promise<Project | undefined>;

  readFeatures(
    project: string,
    range: { after?: string | undefined; limit: number },
  ): Promise<readonly ListedFeature[]>;
}

export async function listProjects(reader: ListReader, caller: Caller): Promise<Project[]> {
  const projects = await reader.readProjects();
  const readable = readableProjects(caller);
  const isReadable = ({ id }: Project) => readable === "all" || readable.includes(id);
  return projects.filter(isReadable).map(({ id, environments }) => ({ id, environments }));
}

export async function listFeatures(
  reader: ListReader,
  id: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ features: ListedFeature[]; next?: string }> {
  const [project, found] = await Promise.all([
    reader.readProject(id),
    reader.readFeatures(id, { after, limit: limit + 1 }),
  ]);
  requireProject(project, id);
  const features = found.slice(0, limit).map((feature) => ({ ...feature, tags: sortTags(feature.tags) }));
  const next = found.length > limit ? features.at(-1)?.name : undefined;
  return { features, ...(next !== undefined && { next }) };
}

export function requireProject(project: Project | undefined, id: string): Project {
  if (!project) throw new NotFoundError(`There is no project "${id}"`);
  return project;
}
