/** Reads lists, and the features for the documents of SDKs. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { ListedFeature, Project } from "../contract/responses/lists.ts";
import type { ServedFeature } from "../documents/format.ts";
import type { DocumentReader } from "../documents/sdk-document.ts";
import type { EnvironmentState } from "../features/model.ts";
import type { ContentPage, ListReader, PageRange, SmokeTested } from "../features/stores.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type FeatureItem,
  type IndexAttributes,
  isStorableName,
  type ProjectItem,
  projectTableKey,
} from "./items/items.ts";
import { environmentList, featureList, projectList } from "./items/lists.ts";
import { contentAttributes, contentOfItem, type StoredContent } from "./items/stored-content.ts";
import { getItem } from "./read-items.ts";
import { readList, readPage } from "./read-lists.ts";
import { runSmokeTest } from "./smoke-test.ts";

export type ReadStore = ListReader & DocumentReader & SmokeTested;

export function createReadStore(session: Session): ReadStore {
  return {
    readProjects: () => readProjects(session),
    readProject: (id) => readProject(session, id),
    readFeatures: (project, range) => readFeatures(session, project, range),
    readListedContents: (project, environment, range) =>
      readListedContents(session, project, environment, range),
    readServedFeatures: (project, environment) => readServedFeatures(session, project, environment),
    smokeTest: () => runSmokeTest(session, { GetItem: tryGetProject, Query: tryLists }),
  };
}

/** No project has an empty id. */
const tryGetProject = (session: Session) => readProject(session, "");
const tryLists = (session: Session) =>
  Promise.all([readProjects(session), readServedFeatures(session, "", "")]);

async function readProjects(session: Session): Promise<Project[]> {
  const attributes = ["id", "environments"];
  const projects = await readList<Project>(session, { list: projectList, attributes, maxPages });
  return requireAll(projects, "The list of projects", "remove projects that are not used");
}

async function readProject(session: Session, id: string): Promise<Project | undefined> {
  return isStorableName(id) ? getItem<ProjectItem>(session, projectTableKey(id)) : undefined;
}

async function readFeatures(session: Session, project: string, range: PageRange): Promise<ListedFeature[]> {
  type Item = IndexAttributes & Pick<FeatureItem, "environments" | "tags">;
  const attributes = ["listedAs", "environments", "tags"];
  const list = featureList(project);
  const items = await readList<Item>(session, { list, attributes, ...range, maxPages });
  const all = requireAll(items, "The list of features", "give a smaller limit");
  return all.map(({ listedAs: name, environments, tags }) => ({ name, tags: tagsOf(tags), environments }));
}

/** Makes one query: the caller's page of features ends where the query ended. */
async function readListedContents(
  session: Session,
  project: string,
  environment: string,
  range: PageRange,
): Promise<ContentPage> {
  type Item = IndexAttributes & StoredContent & Pick<EnvironmentState, "top">;
  const list = environmentList(project, environment);
  const attributes = ["listedAs", ...contentAttributes, "top"];
  const { items, next } = await readPage<Item>(session, { list, attributes, ...range });
  const contents = items.map(({ listedAs, top, ...content }) => {
    return [listedAs, { ...contentOfItem(content), ...(top?.guard && { guard: top.guard }) }] as const;
  });
  const last = items.at(-1);
  return { contents: new Map(contents), ...(next && last && { end: last.listedAs }) };
}

/** Skips environments that their feature does not list: they are not complete yet, or left of a deletion. */
async function readServedFeatures(
  session: Session,
  project: string,
  environment: string,
): Promise<ServedFeature[]> {
  type Feature = IndexAttributes & Pick<FeatureItem, "environments">;
  type Environment = IndexAttributes & StoredContent;
  const lists = await Promise.all([
    readList<Feature>(session, {
      list: featureList(project),
      attributes: ["listedAs", "environments"],
      maxPages,
    }),
    readList<Environment>(session, {
      list: environmentList(project, environment),
      attributes: ["listedAs", ...contentAttributes],
      maxPages,
    }),
  ]);
  const what = `The document of project "${project}" in environment "${environment}"`;
  const advice = "divide the project";
  const [features, environments] = [requireAll(lists[0], what, advice), requireAll(lists[1], what, advice)];
  const inEnvironment = features.filter((feature) => feature.environments.includes(environment));
  const names = new Set(inEnvironment.map(({ listedAs }) => listedAs));
  return environments.flatMap(({ listedAs: name, ...content }) =>
    names.has(name) ? [{ name, project, ...contentOfItem(content) }] : [],
  );
}

const maxPages = limits.listPages;

function requireAll<Item>(items: Item[] | undefined, what: string, advice: string): Item[] {
  if (items) return items;
  throw new ValidationError(`${what} would be made from more than ${maxPages} MB; ${advice}`);
}
