/** Counts how many acknowledged concurrent patches are stored. */
import { features, type Target } from "../load/target.ts";

export interface Kept {
  acknowledged: number;
  there: number;
}

const times = 10;
const atOnce = 5;

/** Each patch adds a variant with a new name. */
export async function overlap({ url, authorization, projectOf, environment }: Target): Promise<Kept> {
  const headers = { authorization, "content-type": "application/json" };
  const kept = { acknowledged: 0, there: 0 };
  for (const feature of features.slice(0, times)) {
    const path = `${url}/api/admin/projects/${projectOf(feature)}/features/${feature}`;
    const add = async (name: string) => {
      const value = { name, weight: 0, weightType: "variable", stickiness: "default" };
      const body = JSON.stringify([{ op: "add", path: "/-", value }]);
      const answer = await fetch(`${path}/variants`, { method: "PATCH", headers, body });
      await answer.arrayBuffer();
      return answer.ok ? [name] : [];
    };
    const names = Array.from({ length: atOnce }, (_, index) => `overlapping-${index}`);
    const acknowledged = (await Promise.all(names.map(add))).flat();
    const answer = await fetch(`${path}/environments/${environment}/variants`, { headers });
    const { variants } = (await answer.json()) as { variants: { name: string }[] };
    kept.acknowledged += acknowledged.length;
    kept.there += variants.filter(({ name }) => acknowledged.includes(name)).length;
  }
  return kept;
}
