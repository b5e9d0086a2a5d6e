/** Reads and applies the patch in the editor, writes the usual operations, and says why a text is not JSON. */
import { applyPatch } from "fast-json-patch";
import type { Patch, PatchOperation } from "../../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { printableLines } from "../cli/printable.ts";

/** Of a form's fields. */
export type Values = Record<string, string>;

/** The operations, or none: the server's error says why. */
export function readPatch(text: string): Patch {
  try {
    const patch: unknown = JSON.parse(text);
    return Array.isArray(patch) ? patch : [];
  } catch {
    return [];
  }
}

/** An operation takes one line if it fits. */
export function writePatch(patch: Patch): string {
  const lines = patch.map((operation) => {
    const line = JSON.stringify(operation);
    return line.length <= 60 ? line : JSON.stringify(operation, null, 2);
  });
  const indented = lines.join(",\n").replaceAll(/^/gm, "  ");
  return lines.length === 0 ? "[]" : `[\n${printableLines(indented)}\n]`;
}

export function formatted(text: string): string {
  const patch = readPatch(text);
  return patch.length === 0 ? text : writePatch(patch);
}

/** The variants as the operations leave them, before normalisation; unchanged if the operations do not apply. */
export function applied(variants: Variant[], patch: Patch, form: VariantForm): Variant[] {
  const document = form === "name" ? byName(variants) : variants;
  try {
    const { newDocument } = applyPatch<unknown>(document, structuredClone([...patch]), false, false);
    const entries = Object.entries<Variant>(Object(newDocument));
    return entries.map(([name, variant]) => Object.assign({ name }, variant));
  } catch {
    return variants;
  }
}

function byName(variants: readonly Variant[]): Record<string, unknown> {
  return Object.fromEntries(variants.map(({ name, ...variant }) => [name, variant]));
}

/** `list` are the variants that the operations before it leave; `from` are those to copy. */
export function usualOperations(values: Values, by: VariantForm, list: Variant[], from: Variant[]): Patch {
  const { kind, variant = "", name = "", weight } = values;
  const isByName = by === "name";
  const pointer = (key: string | number) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const path = pointer(isByName ? variant : list.findIndex((each) => each.name === variant));
  const added = { weight: Number(weight), weightType: weight === "" ? "variable" : "fix" };
  if (kind === "Add" && isByName) return [{ op: "add", path: pointer(name), value: added }];
  if (kind === "Add") return [{ op: "add", path: "/-", value: { name, ...added } }];
  if (kind === "Rename" && isByName) return [{ op: "move", from: path, path: pointer(name) }];
  if (kind === "Rename") return [{ op: "replace", path: `${path}/name`, value: name }];
  if (kind === "Remove") return [{ op: "remove", path }];
  if (kind === "Copy") return [{ op: "replace", path: "", value: isByName ? byName(from) : from }];
  const fix: PatchOperation = { op: "replace", path: `${path}/weightType`, value: "fix" };
  return [fix, { op: "replace", path: `${path}/weight`, value: Number(weight) }];
}

/** Empty for JSON; otherwise in the words of the browser, which name or quote the place. */
export function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
