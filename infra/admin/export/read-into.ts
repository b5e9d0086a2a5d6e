/** Reads the document whose variants an export replaces. */
import type * as z from "zod/mini";
import { validate } from "../../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../../json-file.ts";
import { Refusal } from "../../refusal.ts";

/** The document as it is: what a schema returns has its members in another order. */
export async function readInto<Value>(
  file: string,
  schema: z.ZodMiniType<Value>,
  what: string,
): Promise<Value> {
  const input = await readJsonFile(file);
  const { issues: [first] = [] } = validate(schema, input);
  if (first) throw new Refusal(`${sourceOf(file)} is not ${what}: ${first.path || "/"} ${first.message}`);
  return input as Value;
}
