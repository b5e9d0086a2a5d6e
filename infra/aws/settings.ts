/** Settings are parameters of the stack: what a file gives, what the stack keeps, and what is left to the defaults. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import type { Template } from "./framework.ts";
import type { Values } from "./stack.ts";

export interface Settings {
  values: Values;
  /** Those that differ from the default, with where each comes from. */
  notDefault: readonly string[];
  /** Values that the file lacks. */
  warnings: readonly string[];
  /** Protections that the file takes away, and settings that this commit does not know. */
  takenAway: readonly string[];
}

/** The value by which each takes a protection away. */
const withoutProtection: Values = { Truststore: "", DefaultAddress: "true", Monitoring: "false" };

/** Parameters without a default are given by each deployment. */
const given = ["Archives", "Boundary", "Bucket"];

/** A file changes the settings that it names; the stack keeps its others. */
export function readSettings({ Parameters }: Template, kept: Values = {}, file?: string): Settings {
  const defaults = Object.entries(Parameters).flatMap(([name, { Default }]) =>
    Default === undefined ? [] : [[name, String(Default)] as const],
  );
  const own = file === undefined ? {} : readFile(file);
  const names = defaults.map(([name]) => name);
  for (const name of Object.keys(own)) {
    if (!names.includes(name))
      throw new Refusal(`${file}: there is no setting ${name}, but ${names.join(", ")}`);
  }
  const settings = defaults.map(([name, usual]) => {
    const value = own[name] ?? kept[name] ?? usual;
    return { name, value, isUsual: value === usual, from: name in own ? file : "kept by the stage" };
  });
  const others = settings.filter(({ isUsual }) => !isUsual);
  const lacking = file === undefined ? [] : others.filter(({ name }) => !(name in own));
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  const lost = Object.keys(kept).filter((name) => kept[name] && ![...names, ...given].includes(name));
  const unprotected = Object.entries(withoutProtection).flatMap(([name, without]) =>
    (kept[name] ?? without) !== without && values[name] === without ? name : [],
  );
  return {
    values,
    notDefault: others.map(({ name, value, from }) => `${name} is ${value || '""'}, ${from}`),
    warnings: lacking.map(({ name, value }) => `${file} lacks ${name}: the stage keeps ${value || '""'}`),
    takenAway: [
      ...unprotected.map((name) => `the protection of ${name}`),
      ...lost.map((name) => `the setting ${name} (${kept[name]}), which this commit does not know`),
    ],
  };
}

/** The settings of a stage that is removed, in the form that `--settings` takes. */
export const settingsOf = (parameters: Values): Values =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !given.includes(name)));

function readFile(file: string): Values {
  let content: unknown;
  try {
    content = parse(readFileSync(file, "utf8")) ?? {};
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof content !== "object" || Array.isArray(content))
    throw new Refusal(`${file} is no map of settings`);
  return Object.fromEntries(
    Object.entries(content ?? {}).map(([name, value]) => [name, toText(file, name, value)]),
  );
}

/** As CloudFormation takes it: a list is joined by commas. */
function toText(file: string, name: string, value: unknown): string {
  const values = [value].flat();
  if (values.some((one) => !/^(string|number|boolean)$/.test(typeof one))) {
    throw new Refusal(`${file}: ${name} must be a text, a number, true, false or a list of texts`);
  }
  return values.join(",");
}
