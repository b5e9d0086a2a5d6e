/** Reads the patch in the editor, writes the usual operations, and finds which operation an error is about. */
import { applyPatch } from "fast-json-patch";
import type { Patch, PatchOperation } from "../../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { printable } from "../printable.ts";
import type { Environment, Problem } from "./api.ts";

export interface Draft {
  text: string;
  form: VariantForm;
  /** "" is every environment. */
  environment: string;
}

/** The operations, and why the text has none. */
export function readPatch(text: string): { patch: Patch; issue?: string } {
  try {
    const patch: unknown = JSON.parse(text.trim() || "[]");
    return Array.isArray(patch)
      ? { patch }
      : { patch: [], issue: "A JSON Patch is a list of operations: [...]" };
  } catch (error) {
    return { patch: [], issue: `This is not JSON: ${(error as Error).message}` };
  }
}

export function writePatch(patch: Patch): string {
  const lines = patch.map((operation) => `  ${printable(JSON.stringify(operation))}`);
  return lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n]`;
}

/** The variants as the operations leave them, before their weights are normalised; undefined if they do not apply. */
export function applied(
  variants: readonly Variant[],
  patch: Patch,
  form: VariantForm,
): Variant[] | undefined {
  const document = form === "name" ? byName(variants) : variants;
  try {
    const { newDocument } = applyPatch<unknown>(document, structuredClone([...patch]), false, false);
    const result: [string, Variant][] = Object.entries(Object(newDocument));
    return result.map(([name, variant]) => (form === "name" ? { ...variant, name } : variant));
  } catch {
    return undefined;
  }
}

export function byName(variants: readonly Variant[]): Record<string, unknown> {
  return Object.fromEntries(variants.map(({ name, ...variant }) => [name, variant]));
}

/** By the pointer into the body, or by the message of an environment, which begins with "operation N". */
export function errorsOf(operation: number, problem: Problem | undefined, planned: readonly Environment[]) {
  const invalid = (problem?.details ?? []).filter(
    ({ path = "" }) => path.split("/")[1] === String(operation),
  );
  const failed = planned.filter(({ message }) => message?.startsWith(`operation ${operation} `));
  return [
    ...invalid.map(({ path = "", message }) => `${path} ${message}`),
    ...failed.map(({ environment, message }) => `${environment}: ${message}`),
  ];
}

export const usual = ["Add", "Remove", "Rename", "Fix a weight"] as const;

/** `variants` are those that the operations before it leave: an index is into their list. */
export function usualOperations(
  kind: (typeof usual)[number],
  { name, to, weight }: { name: string; to: string; weight: number },
  variants: readonly Variant[],
  form: VariantForm,
): PatchOperation[] {
  const isByName = form === "name";
  const pointer = (key: string | number) => `/${String(key).replaceAll("~", "~0")}`;
  const path = pointer(isByName ? name : variants.findIndex((variant) => variant.name === name));
  if (kind === "Remove") return [{ op: "remove", path }];
  if (kind === "Fix a weight") {
    const fix: PatchOperation = { op: "replace", path: `${path}/weightType`, value: "fix" };
    return [fix, { op: "replace", path: `${path}/weight`, value: weight }];
  }
  if (kind === "Rename" && isByName) return [{ op: "move", from: path, path: pointer(to) }];
  if (kind === "Rename") return [{ op: "replace", path: `${path}/name`, value: to }];
  const variant = { weight: 0, weightType: "variable" };
  if (isByName) return [{ op: "add", path: pointer(to), value: variant }];
  return [{ op: "add", path: "/-", value: { name: to, ...variant } }];
}
