/** Applies the rules of a state file to what a command creates, so that it can be exported and applied again. */
import type * as z from "zod/mini";
import { validate } from "../../lib/contract/validate.ts";
import { UsageError } from "../refusal.ts";

export function requireValidState(what: string, schema: z.ZodMiniType, value: object): void {
  const { issues: [first] = [] } = validate(schema, value);
  if (first) throw new UsageError(`the ${what}'s ${first.path.slice(1)} ${first.message}`);
}
