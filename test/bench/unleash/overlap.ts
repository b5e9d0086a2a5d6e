/** Counts how many acknowledged patches of concurrent callers are stored. */
import { features, type Target } from "../load/target.ts";
import { formatTable } from "../report.ts";

const callers = 5;
const patched = features.slice(0, 10);

/** Unleash 7 removed the patch of all environments. */
const scopes = ["all environments", "one environment"] as const;
type Scope = (typeof scopes)[number];

/** Returns the table that it prints. */
export async function overlap(targets: Record<string, Target>): Promise<string[][]> {
  const table = [["a patch of", ...Object.keys(targets)]];
  for (const scope of scopes) {
    const row: string[] = [scope];
    for (const target of Object.values(targets)) row.push(await countStored(target, scope));
    table.push(row);
  }
  console.log(`\n${callers} patches at once to each of ${patched.length} features: stored, of acknowledged`);
  console.log(formatTable(table));
  return table;
}

/** Each patch adds a variant with a new name. */
async function countStored(
  { url, authorization, projectOf, environment }: Target,
  scope: Scope,
): Promise<string> {
  const headers = { authorization, "content-type": "application/json" };
  let [acknowledged, stored] = [0, 0];
  const refusals = new Set<number>();
  for (const feature of patched) {
    const path = `${url}/api/admin/projects/${projectOf(feature)}/features/${feature}`;
    const variantsOfOne = `${path}/environments/${environment}/variants`;
    const add = async (name: string) => {
      const value = { name, weight: 0, weightType: "variable", stickiness: "default" };
      const body = JSON.stringify([{ op: "add", path: "/-", value }]);
      const to = scope === "one environment" ? variantsOfOne : `${path}/variants`;
      const answer = await fetch(to, { method: "PATCH", headers, body });
      await answer.arrayBuffer();
      if (answer.ok) return [name];
      refusals.add(answer.status);
      return [];
    };
    const names = Array.from({ length: callers }, (_, index) => `${scope.replace(" ", "-")}-${index}`);
    const added = (await Promise.all(names.map(add))).flat();
    const answer = await fetch(variantsOfOne, { headers });
    const { variants } = (await answer.json()) as { variants: { name: string }[] };
    acknowledged += added.length;
    stored += variants.filter(({ name }) => added.includes(name)).length;
  }
  const refused = refusals.size > 0 ? `, others ${[...refusals].join(", ")}` : "";
  return `${stored} of ${acknowledged}${refused}`;
}
