/** Reads all that Unleash has of projects: exports, with what these lack. */

import * as z from "zod/mini";
import { readEach } from "../api/find.ts";
import { strategySchema, type UnleashExport } from "./export.ts";
import { type Segments, segmentsSchema, toSegments, usedSegments } from "./segments.ts";
import { pathOfProject, type UnleashServer } from "./server.ts";
import { featureListSchema, switchesOfList, withSwitches } from "./switches.ts";

export interface Contents {
  /** One for each environment of a project, in the project's order. */
  exports: UnleashExport[];
  segments: Segments;
}

const projectsSchema = z.looseObject({ projects: z.array(z.looseObject({ id: z.string() })) });

const featureSchema = z.looseObject({
  environments: z.array(z.looseObject({ name: z.string(), strategies: z.array(strategySchema) })),
});

export async function projectsOf(server: UnleashServer): Promise<string[]> {
  const { projects } = await server.get("/api/admin/projects", projectsSchema);
  return projects.map(({ id }) => id);
}

/** `only` is one of the environments, instead of all of them. */
export async function readContents(
  server: UnleashServer,
  projects: readonly string[],
  only?: string,
): Promise<Contents> {
  const exports: UnleashExport[] = [];
  for (const project of projects) exports.push(...(await readProject(server, project, only)));
  const isUsed = usedSegments(exports).length > 0;
  const segments = isUsed ? toSegments(await server.get("/api/admin/segments", segmentsSchema)) : new Map();
  return { exports, segments };
}

async function readProject(server: UnleashServer, project: string, only?: string): Promise<UnleashExport[]> {
  const list = await server.get(`${pathOfProject(project)}/features`, featureListSchema);
  const orders = new Map(
    list.features.flatMap(({ environments }) =>
      environments.map(({ name, sortOrder }) => [name, sortOrder] as const),
    ),
  );
  const environments = [...orders].sort(([, one], [, other]) => one - other).map(([name]) => name);
  const exports: UnleashExport[] = [];
  for (const environment of only === undefined ? environments : [only]) {
    exports.push(await server.export(project, environment));
  }
  const advice = "they were created while the features were read; run the command again:";
  return withOrder(server, project, withSwitches(exports, new Map(switchesOfList(list)), advice));
}

/** An export has strategies in any order. It decides who gets which variant only where there are several. */
async function withOrder(
  server: UnleashServer,
  project: string,
  exports: readonly UnleashExport[],
): Promise<UnleashExport[]> {
  const several = [...new Set(exports.flatMap(withSeveralStrategies))];
  const ordered = new Map(
    await readEach(several, async (name) => {
      const path = `${pathOfProject(project)}/features/${encodeURIComponent(name)}`;
      return [name, await server.get(path, featureSchema)] as const;
    }),
  );
  return exports.map((one) => ({
    ...one,
    featureStrategies: [
      ...one.featureStrategies.filter(({ featureName }) => !ordered.has(featureName)),
      ...[...ordered].flatMap(([featureName, { environments }]) => {
        const [environment] = one.featureEnvironments.map(({ environment }) => environment);
        const there = environments.find(({ name }) => name === environment);
        const sorted = [...(there?.strategies ?? [])].sort(
          (one, other) => sortOrderOf(one) - sortOrderOf(other),
        );
        return sorted.map((strategy, sortOrder) => ({ ...strategy, featureName, sortOrder }));
      }),
    ],
  }));
}

function withSeveralStrategies({ featureStrategies }: UnleashExport): string[] {
  const names = featureStrategies.map(({ featureName }) => featureName);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function sortOrderOf({ sortOrder }: z.infer<typeof strategySchema>): number {
  return sortOrder ?? Number.POSITIVE_INFINITY;
}
