/** What a format of documents for SDKs is made from, and what it makes. */
import type * as z from "zod/mini";
import { validate } from "../../../lib/contract/validate.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { readDocument, sourceOf } from "../../cli/json-file.ts";
import { Refusal } from "../../cli/refusal.ts";
import type { Omissions } from "../left-out.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

/** A feature with its variants in the environment. */
export interface Exported {
  name: string;
  project: string;
  variants: readonly Variant[];
}

export interface Format {
  /** A document in which every feature is on, for everyone. */
  create(features: readonly Exported[], scope: Scope, omissions: Omissions): object;
  /** The document that this file has, with the variants of these features, and otherwise as it is. */
  into(file: string, features: readonly Exported[], omissions: Omissions): Promise<object>;
}

/** Unleash's SDKs use the first variant's stickiness for the whole list. `why` is reported where the others differ. */
export function stickinessOf({ name, variants }: Exported, why: string, omissions: Omissions): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add("stickiness", why, name);
  return first;
}

/** Reports variants that the export removes, and with them a difference for the users who have them. */
export function reportGone(gone: readonly string[], { name }: Exported, omissions: Omissions): void {
  const why = "the feature lacks them: they are removed";
  if (gone.length > 0) omissions.add("variants", why, `${name}: ${gone.join(", ")}`);
}

/** The document as it is: what a schema returns has its members in another order. */
export async function readInto<Value>(
  file: string,
  schema: z.ZodMiniType<Value>,
  what: string,
): Promise<Value> {
  const input = await readDocument(file);
  const { issues: [first] = [] } = validate(schema, input);
  if (first) throw new Refusal(`${sourceOf(file)} is not ${what}: ${first.path || "/"} ${first.message}`);
  return input as Value;
}
