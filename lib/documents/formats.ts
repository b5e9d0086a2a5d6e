/** The formats of documents, by the names of what loads them. */
import { flagd } from "./flagd.ts";
import type { Format } from "./format.ts";
import { unleash } from "./unleash.ts";

export const formats = { flagd, unleash } satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
