/** Counts how many acknowledged changes of ten concurrent callers are stored. */
import { features, type Target } from "../load/target.ts";
import { formatTable } from "../report.ts";

const callers = 10;
const patched = features.slice(0, 10);
const pairs = features.slice(0, 20);

/** Unleash 7 removed the patch of all environments. */
const scopes = ["variants, all environments", "variants, one environment", "variants of a strategy"] as const;
type Scope = (typeof scopes)[number];

interface Variants {
  variants: { name: string }[];
}

/** Returns the table that it prints. */
export async function overlap(targets: Record<string, Target>): Promise<string[][]> {
  const table = [["", ...Object.keys(targets)]];
  for (const scope of scopes) {
    const row: string[] = [`${scope}: stored, of acknowledged`];
    for (const target of Object.values(targets)) row.push(await countStored(target, scope));
    table.push(row);
  }
  const both = ["a variant beside a rollout of one strategy: one of them lost, of pairs"];
  for (const target of Object.values(targets)) both.push(await countLost(target));
  table.push(both);
  console.log(`\n${callers} callers at once add a variant each to one of ${patched.length} features in turn`);
  console.log(formatTable(table));
  return table;
}

/** Each patch adds a variant with a new name. */
async function countStored(target: Target, scope: Scope): Promise<string> {
  let [acknowledged, stored] = [0, 0];
  const refusals = new Set<number>();
  for (const feature of patched) {
    const { inEnvironment, strategies, strategy } = pathsOf(target, feature);
    const ofOne = `${inEnvironment}/variants`;
    const paths: Record<Scope, [patched: string, at: string]> = {
      "variants, all environments": [`${pathOf(target, feature)}/variants`, "/-"],
      "variants, one environment": [ofOne, "/-"],
      "variants of a strategy": [strategy, "/variants/-"],
    };
    const [path, at] = paths[scope];
    const names = Array.from({ length: callers }, (_, index) => `${scope.replaceAll(/\W+/g, "-")}-${index}`);
    const statuses = await Promise.all(names.map((name) => add(target, path, at, name)));
    const added = names.filter((_, index) => statuses[index] === 200);
    for (const status of statuses) if (status !== 200) refusals.add(status);
    const read =
      scope === "variants of a strategy" ? await readStrategy(target, strategies, feature) : undefined;
    const { variants } = read ?? ((await get(target, ofOne)) as Variants);
    acknowledged += added.length;
    stored += variants.filter(({ name }) => added.includes(name)).length;
  }
  const refused = refusals.size > 0 ? `, others ${[...refusals].join(", ")}` : "";
  return `${stored} of ${acknowledged}${refused}`;
}

/** One caller adds a variant, another changes the rollout. */
async function countLost(target: Target): Promise<string> {
  let [lost, acknowledged] = [0, 0];
  for (const feature of pairs) {
    const { strategies, strategy } = pathsOf(target, feature);
    const rollout = [{ op: "replace", path: "/parameters/rollout", value: "75" }];
    const statuses = await Promise.all([
      add(target, strategy, "/variants/-", "beside"),
      patch(target, strategy, rollout),
    ]);
    if (statuses.some((status) => status !== 200)) continue;
    acknowledged++;
    const { variants, parameters } = await readStrategy(target, strategies, feature);
    const areBoth = variants.some(({ name }) => name === "beside") && parameters.rollout === "75";
    if (!areBoth) lost++;
  }
  return `${lost} of ${acknowledged}`;
}

function pathOf({ projectOf }: Target, feature: string): string {
  return `/api/admin/projects/${projectOf(feature)}/features/${feature}`;
}

function pathsOf(target: Target, feature: string) {
  const inEnvironment = `${pathOf(target, feature)}/environments/${target.environment}`;
  const strategies = `${inEnvironment}/strategies`;
  return { inEnvironment, strategies, strategy: `${strategies}/${target.strategyOf(feature)}` };
}

function add(target: Target, path: string, at: string, name: string): Promise<number> {
  const value = { name, weight: 0, weightType: "variable", stickiness: "default" };
  return patch(target, path, [{ op: "add", path: at, value }]);
}

async function patch({ url, authorization }: Target, path: string, operations: object[]): Promise<number> {
  const headers = { authorization, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "PATCH", headers, body: JSON.stringify(operations) });
  await answer.arrayBuffer();
  return answer.status;
}

async function get({ url, authorization }: Target, path: string): Promise<unknown> {
  return (await fetch(url + path, { headers: { authorization } })).json();
}

interface StoredStrategy extends Variants {
  id: string;
  parameters: { rollout: string };
}

async function readStrategy(target: Target, path: string, feature: string): Promise<StoredStrategy> {
  const all = (await get(target, path)) as StoredStrategy[];
  const one = all.find(({ id }) => id === target.strategyOf(feature));
  if (!one) throw new Error(`${path} lacks the strategy`);
  return one;
}
