/** Makes the requests of each load, and counts how many acknowledged concurrent patches are stored. */
import type { Shot } from "../load/fire.ts";
import { features, type Target } from "../load/target.ts";
import { replaceStickiness, tagsOf } from "../requests.ts";

export interface Load {
  operation: "tag update" | "variant patch";
  connections: number;
  /** On one feature, instead of all. */
  isHot?: boolean;
}

export const loads: Load[] = [
  { operation: "tag update", connections: 1 },
  { operation: "tag update", connections: 10 },
  { operation: "variant patch", connections: 1 },
  { operation: "variant patch", connections: 10 },
  { operation: "variant patch", connections: 10, isHot: true },
];

/** Each request changes what the previous one left. */
export function shotsOf({ projectOf }: Target, { operation, isHot = false }: Load) {
  const tag = (number: number) => ({ type: "simple", value: `team-${number % 50}` });
  return (_: number, number: number): Shot => {
    const feature = features[isHot ? 0 : Math.floor(Math.random() * features.length)] ?? "";
    if (operation === "tag update") {
      const body = { addedTags: [tag(number)], removedTags: [tag(number + 25)] };
      return { method: "PUT", path: tagsOf(feature), body };
    }
    const path = `/api/admin/projects/${projectOf(feature)}/features/${feature}/variants`;
    return { method: "PATCH", path, body: replaceStickiness(`by-${number}`) };
  };
}

const hotFeatures = features.slice(0, 10);
const atOnce = 5;

/** Each patch adds a variant with a new name. */
export async function overlap({ url, authorization, projectOf, environment }: Target): Promise<string> {
  const headers = { authorization, "content-type": "application/json" };
  let [acknowledged, stored] = [0, 0];
  for (const feature of hotFeatures) {
    const path = `${url}/api/admin/projects/${projectOf(feature)}/features/${feature}`;
    const add = async (name: string) => {
      const value = { name, weight: 0, weightType: "variable", stickiness: "default" };
      const body = JSON.stringify([{ op: "add", path: "/-", value }]);
      const answer = await fetch(`${path}/variants`, { method: "PATCH", headers, body });
      await answer.arrayBuffer();
      return answer.ok ? [name] : [];
    };
    const added = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => add(`overlapping-${index}`)),
    );
    const answer = await fetch(`${path}/environments/${environment}/variants`, { headers });
    const { variants } = (await answer.json()) as { variants: { name: string }[] };
    acknowledged += added.flat().length;
    stored += variants.filter(({ name }) => added.flat().includes(name)).length;
  }
  return `${stored} of ${acknowledged}`;
}
