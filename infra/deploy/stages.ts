/** The stages that infra/stages.yml lists. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../refusal.ts";
import type { Options } from "./options.ts";

export interface Target {
  stage: string;
  region: string;
  stack: string;
  /** It has alarms, and they are sent nowhere. */
  isSilent: boolean;
}

interface Settings {
  region: string;
  alarms: string;
  alarmTopic: string;
  releases: string;
}

const file = "infra/stages.yml";

/** A mistyped stage would be deployed beside the one that was meant. The stage "local" is for this machine. */
export function findTarget({ stage, region }: Options): Target {
  const { local, ...stages }: Record<string, Settings> = parse(readFileSync(file, "utf8"), { merge: true });
  const settings = Object.hasOwn(stages, stage) ? stages[stage] : undefined;
  if (!settings) {
    const known = Object.keys(stages).join(", ");
    throw new Refusal(`there is no stage "${stage}" in ${file}, which has ${known}: add it there first`);
  }
  const { alarms, alarmTopic, releases } = settings;
  if (releases === "canary" && alarms === "none") {
    throw new Refusal(
      `${stage} has releases: canary, which its alarms take back, and alarms: none (${file})`,
    );
  }
  return {
    stage,
    region: region ?? settings.region,
    stack: `burgee-${stage}`,
    isSilent: alarms !== "none" && alarmTopic === "none",
  };
}
