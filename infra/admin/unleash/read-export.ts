/** Reads an export of Unleash, or says why it is none. */
import { check } from "../../../lib/contract/check.ts";
import { inspect } from "../../../lib/http/inspect.ts";
import { readJsonFile } from "../../json-file.ts";
import { Refusal } from "../../refusal.ts";
import { andMore } from "../terminal/and-more.ts";
import { type UnleashExport, unleashExportSchema } from "./schema.ts";

export function readExport(file: string): UnleashExport {
  const { value, faults = [] } = check(unleashExportSchema, readJsonFile(file));
  // Of the parts that are not read nobody needs to know how they are made.
  const { features, featureEnvironments, featureTags } = value ?? {};
  const all = [...faults, ...inspect({ features, featureEnvironments, featureTags })];
  if (value && all.length === 0) return value;
  const lines = all.map(({ path, message }) => `${path || "/"} ${message}`);
  throw new Refusal(`${file} is not an export of Unleash's features:\n${andMore(lines, 20, "  ")}`);
}
