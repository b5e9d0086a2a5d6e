/** Reads an export of Unleash, or reports why it is invalid. */
import { validate, validateJson } from "../../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../../json-file.ts";
import { printable } from "../../printable.ts";
import { Refusal } from "../../refusal.ts";
import { andMore } from "../terminal/and-more.ts";
import { type UnleashExport, unleashExportSchema } from "./schema.ts";

export async function readExport(file: string): Promise<UnleashExport> {
  const { value, issues = [] } = validate(unleashExportSchema, await readJsonFile(file));
  // Parts that are not read are not validated.
  const { features, featureEnvironments, featureTags } = value ?? {};
  const all = [...issues, ...validateJson({ features, featureEnvironments, featureTags })];
  if (value && all.length === 0) return value;
  const lines = all.map(({ path, message }) => printable(`${path || "/"} ${message}`));
  throw new Refusal(`${sourceOf(file)} is not an export of Unleash's features:\n${andMore(lines, 20, "  ")}`);
}
