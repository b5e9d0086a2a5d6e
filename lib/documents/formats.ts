/** The formats of documents, by the names of what loads them. */
import { flagd } from "./flagd.ts";
import type { Format } from "./format.ts";
import { unleash } from "./unleash.ts";

export type FormatName = "flagd" | "unleash";

export const formats: Readonly<Record<FormatName, Format>> = { flagd, unleash };

/** What a document is of. */
export interface Subject {
  format: FormatName;
  project: string;
  environment: string;
}
