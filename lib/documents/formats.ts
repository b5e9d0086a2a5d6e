/** Lists the formats of documents. */
import { flagd } from "./flagd.ts";
import type { Format } from "./format.ts";
import { unleash } from "./unleash.ts";

export type FormatName = "flagd" | "unleash";

export const formats: Readonly<Record<FormatName, Format>> = { flagd, unleash };

/** Identifies a document. */
export interface Subject {
  format: FormatName;
  project: string;
  environment: string;
}
