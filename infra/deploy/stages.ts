/** Finds a stage and its settings in infra/stages.yml. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../refusal.ts";
import type { Options } from "./options.ts";

export interface Stage {
  name: string;
  region: string;
  stack: string;
  /** Whether it has alarms without a topic. */
  isSilent: boolean;
}

interface Settings {
  region: string;
  alarms: string;
  alarmTopic: string;
  releases: string;
}

const file = "infra/stages.yml";

/** Refuses an unlisted stage: a mistyped one would be deployed beside the intended one. "local" is for this machine. */
export function findStage({ stage: name, region }: Options): Stage {
  const { local, ...stages }: Record<string, Settings> = parse(readFileSync(file, "utf8"), { merge: true });
  const settings = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!settings) {
    const known = Object.keys(stages).join(", ");
    throw new Refusal(`there is no stage "${name}" in ${file}, which has ${known}: add it there first`);
  }
  const { alarms, alarmTopic, releases } = settings;
  if (releases === "canary" && alarms === "none") {
    throw new Refusal(`${name} has releases: canary, which alarms roll back, but alarms: none (${file})`);
  }
  return {
    name,
    region: region ?? settings.region,
    stack: `burgee-${name}`,
    isSilent: alarms !== "none" && alarmTopic === "none",
  };
}
