/**
 * Combines the settings of a stage, which are parameters of its stack: what a file gives, what the stack keeps, and what is
 * left to the defaults.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import type { Template } from "./framework.ts";
import type { Values } from "./stack.ts";

export interface StageSettings {
  values: Values;
  /** The settings that differ from the default, with the source of each, except those that the file lacks. */
  notDefault: readonly string[];
  /** Values that the file lacks, and what is taken away. */
  warnings: readonly string[];
  /** Protections that the file takes away, and settings that this commit does not know. */
  takenAway: readonly string[];
}

/** The settings that protect a stage, with the value that takes the protection away. */
const withoutProtection: Values = { Truststore: "", DefaultAddress: "true", Monitoring: "false" };

/** Parameters without a default are given by each deployment. */
const given = ["Archives", "Boundary", "Bucket"];

/** Combines the settings: a file changes those that it names, and the stack keeps its others. */
export function readSettings({ Parameters }: Template, kept: Values = {}, file?: string): StageSettings {
  const own = file === undefined ? {} : readFile(file);
  const names = Object.keys(Parameters).filter((name) => !given.includes(name));
  const unknown = Object.keys(own).find((name) => !names.includes(name));
  if (unknown) throw new Refusal(`${file}: there is no setting ${unknown}, but ${names.join(", ")}`);
  const usual = (name: string) => String(Parameters[name]?.Default);
  const valueFor = (name: string) => own[name] ?? kept[name] ?? usual(name);
  const shown = (name: string) => valueFor(name) || '""';
  const others = names.filter((name) => valueFor(name) !== usual(name));
  const lacking = file === undefined ? [] : others.filter((name) => !(name in own));
  const unprotected = Object.entries(withoutProtection).filter(
    ([name, without]) => (kept[name] ?? without) !== without && valueFor(name) === without,
  );
  const lost = Object.keys(settingsOf(kept)).filter((name) => kept[name] && !names.includes(name));
  const takenAway = [
    ...unprotected.map(([name]) => `the protection of ${name}`),
    ...lost.map((name) => `the setting ${name} (${kept[name]}), which this commit does not know`),
  ];
  return {
    values: Object.fromEntries(names.map((name) => [name, valueFor(name)])),
    notDefault: others
      .filter((name) => !lacking.includes(name))
      .map((name) => `${name} is ${shown(name)}, ${file ?? "kept by the stage"}`),
    warnings: [
      ...lacking.map((name) => `${file} lacks ${name}: the stage keeps ${shown(name)}`),
      ...takenAway.map((what) => `this takes away ${what}`),
    ],
    takenAway,
  };
}

/** The settings of a stage, in the form that `--settings` takes. */
export const settingsOf = (parameters: Values): Values =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !given.includes(name)));

/** Reads the values in the form of CloudFormation, where a list is joined by commas. */
function readFile(file: string): Values {
  try {
    const content = parse(readFileSync(file, "utf8")) ?? {};
    if (Object(content) !== content || Array.isArray(content)) throw new Error("it is no map of settings");
    return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, toText(name, value)]));
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function toText(name: string, value: unknown): string {
  const values = [value].flat();
  if (values.every((one) => one !== null && typeof one !== "object")) return values.join(",");
  throw new Error(`${name} must be a text, a number, true, false or a list of texts`);
}
