/** Makes the requests of each load. */
import type { goals } from "../goals.ts";
import type { Shot } from "../load/fire.ts";
import { features, type Target } from "../load/target.ts";
import { replaceStickiness, tagsOf } from "../requests.ts";

export interface Load {
  operation: "tag update" | "variant patch" | "on and off" | "strategy patch";
  connections: number;
  /** On so many features, instead of all. */
  on?: number;
  /** Beside this version, instead of 6.10.1. */
  version?: "8.2.0";
  /** The goal for its rate, if it has one. */
  goal?: keyof typeof goals;
}

export const loads: Load[] = [
  { operation: "tag update", connections: 1, goal: "unleashTags" },
  { operation: "tag update", connections: 10, goal: "unleashTagsOfTen" },
  { operation: "variant patch", connections: 1, goal: "unleashPatches" },
  { operation: "variant patch", connections: 10, goal: "unleashPatchesOfTen" },
  { operation: "variant patch", connections: 10, on: 1, goal: "unleashHotRate" },
  { operation: "on and off", connections: 1 },
  { operation: "strategy patch", connections: 1, version: "8.2.0", goal: "unleashStrategies" },
  { operation: "strategy patch", connections: 10, on: 20, version: "8.2.0", goal: "unleashStrategiesOfTen" },
  { operation: "strategy patch", connections: 10, on: 1, version: "8.2.0", goal: "unleashStrategiesOfTen" },
];

/** Each request changes what the previous one left. */
export function shotsOf(
  { projectOf, strategyOf, environment }: Target,
  { operation, on = features.length }: Load,
) {
  const isOn = new Set<string>();
  const tag = (number: number) => ({ type: "simple", value: `team-${number % 50}` });
  return (_: number, number: number): Shot => {
    const feature = features[Math.floor(Math.random() * on)] ?? "";
    if (operation === "tag update") {
      const body = { addedTags: [tag(number)], removedTags: [tag(number + 25)] };
      return { method: "PUT", path: tagsOf(feature), body };
    }
    const path = `/api/admin/projects/${projectOf(feature)}/features/${feature}`;
    if (operation === "variant patch")
      return { method: "PATCH", path: `${path}/variants`, body: replaceStickiness(`by-${number}`) };
    if (operation === "strategy patch") {
      const strategy = `environments/${environment}/strategies/${strategyOf(feature)}`;
      const body = [{ op: "replace", path: "/variants/0/stickiness", value: `by-${number}` }];
      return { method: "PATCH", path: `${path}/${strategy}`, body };
    }
    // Features start off.
    const to = isOn.delete(feature) ? "off" : "on";
    if (to === "on") isOn.add(feature);
    return { method: "POST", path: `${path}/environments/${environment}/${to}`, body: {} };
  };
}
