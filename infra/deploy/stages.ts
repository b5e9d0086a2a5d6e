/** Finds a stage and its settings in infra/stages.yml. */
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse, YAMLParseError } from "yaml";
import { Refusal } from "../refusal.ts";
import type { Options } from "./options.ts";

export interface Stage {
  name: string;
  region: string;
  stack: string;
  /** Whether it has alarms without a topic. */
  lacksAlarmTopic: boolean;
  isCanary: boolean;
  /** The name of a table other than the stack's own. */
  otherTable?: string;
}

interface Settings {
  region: string;
  alarms: string;
  alarmTopic: string;
  releases: string;
  events: string;
  /** A name, or a reference to the stack's own. */
  table: unknown;
  tableStreamArn: unknown;
}

const file = "infra/stages.yml";
const ownStream = { "Fn::GetAtt": ["Table", "StreamArn"] };

/** Refuses an unlisted stage: a mistyped one would be deployed beside the intended one. "local" is for this machine. */
export function findStage({ stage: name, region }: Options): Stage {
  const { local, ...stages }: Record<string, Settings> = readYaml(file);
  const settings = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!settings) {
    const known = Object.keys(stages).join(", ");
    throw new Refusal(`there is no stage "${name}" in ${file}, which has ${known}: add it there first`);
  }
  refuseMistyped(name, settings);
  const { alarms, alarmTopic, releases, events, table, tableStreamArn } = settings;
  if (releases === "canary" && alarms === "none") {
    throw new Refusal(`${name} has releases: canary, which alarms roll back, but alarms: none (${file})`);
  }
  if (events === "bus" && typeof table === "string" && isDeepStrictEqual(tableStreamArn, ownStream)) {
    throw new Refusal(
      `${name} has table: ${table}, but its events would be those of the stack's own table: set tableStreamArn (${file})`,
    );
  }
  return {
    name,
    region: region ?? settings.region,
    stack: `burgee-${name}`,
    lacksAlarmTopic: (alarms !== "none" || events !== "none") && alarmTopic === "none",
    isCanary: releases === "canary",
    ...(typeof table === "string" && { otherTable: table }),
  };
}

function readYaml(name: string) {
  try {
    return parse(readFileSync(name, "utf8"), { merge: true });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new Refusal(`${name} is not valid YAML: ${error.message}`);
  }
}

/** The framework would ignore an unknown setting, and refuse a wrong choice without naming its setting. */
function refuseMistyped(stage: string, settings: Settings): void {
  const parts = readdirSync("infra").filter((name) => name.endsWith(".yml"));
  const sources = ["serverless.yml", ...parts.map((name) => `infra/${name}`)];
  const text = sources.map((name) => readFileSync(name, "utf8")).join("");
  const known = new Set([...text.matchAll(/self:custom\.stage\.(\w+)/g)].map(([, name]) => name));
  const unknown = Object.keys(settings).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Refusal(`${stage} has unknown settings: ${unknown.join(", ")} (${file})`);
  for (const [, part = "", name] of text.matchAll(/\{file\((.+?)\):\$\{self:custom\.stage\.(\w+)\}/g)) {
    const choices = Object.keys(readYaml(part));
    const value = settings[name as keyof Settings];
    if (!choices.includes(String(value))) {
      throw new Refusal(`${stage} has ${name}: ${value}, which must be ${choices.join(" or ")} (${file})`);
    }
  }
}
