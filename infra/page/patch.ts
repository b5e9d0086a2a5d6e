/** Reads and applies the patch in the editor, writes the usual operations, and says why a text is not JSON. */
import { pointerPattern } from "../../lib/contract/json-pointer.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Patch, PatchOperation } from "../../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { applyPatch } from "../../lib/features/json-patch/apply.ts";
import type { Json } from "../../lib/features/json-patch/json.ts";
import { printableLines } from "../cli/printable.ts";

/** Of a form's fields. */
export type FieldValues = Record<string, string>;

/** The elements of the list that the text is, or none: the server's error says why. They may be anything. */
export function readPatch(text: string): Patch {
  try {
    const patch: unknown = JSON.parse(text);
    return Array.isArray(patch) ? patch : [];
  } catch {
    return [];
  }
}

/** Whether the text has something that is not read, such as a patch that is being written. */
export function isUnread(text: string): boolean {
  return readPatch(text).length === 0 && /[^\s[\]]/.test(text);
}

/** What the elements of a patch have in common. What is not a text is left out. */
export function readOperation(element: unknown): FieldValues {
  const { op, path, from }: Record<string, unknown> = Object(element);
  const members = Object.entries({ op, path, from });
  return Object.fromEntries(members.filter(([, value]) => typeof value === "string")) as FieldValues;
}

/** The server refuses a patch of anything else, so it has no result to show. */
function isPatch(patch: Patch): boolean {
  return patch.length <= limits.operations && patch.every(isOperation);
}

function isOperation(element: unknown): boolean {
  const { op = "", path, from } = readOperation(element);
  const pointers = ["copy", "move"].includes(op) ? [path, from] : [path];
  return (
    ["add", "remove", "replace", "copy", "move"].includes(op) &&
    pointers.every((pointer) => pointer !== undefined && pointerPattern.test(pointer))
  );
}

/** An operation takes one line if it fits. */
export function writePatch(patch: readonly object[]): string {
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

/**
 * The variants as the operations leave them, before normalisation; unchanged if the operations do not apply. By index,
 * each keeps its place, whatever it is.
 */
export function applied(
  variants: Variant[],
  patch: Patch,
  form: VariantForm,
  onOperation?: (index: number, document: Json) => void,
): Variant[] {
  if (!isPatch(patch)) return variants;
  const document = (form === "name" ? byName(variants) : variants) as Json;
  try {
    const result = applyPatch(document, patch, onOperation && { onOperation });
    return Object.entries<Json>(Object(result)).map(toVariant);
  } catch {
    return variants;
  }
}

/** The server has not checked it: it may have any members, or none. */
function toVariant([key, value]: [string, Json]): Variant {
  const members: Partial<Variant> = typeof value === "object" && !Array.isArray(value) ? Object(value) : {};
  return { ...(members as Variant), name: typeof members.name === "string" ? members.name : key };
}

function byName(variants: readonly Variant[]): Record<string, unknown> {
  return Object.fromEntries(variants.map(({ name, ...variant }) => [name, variant]));
}

/** `list` are the variants that the operations before it leave; `from` are those to copy. */
export function usualOperations(
  values: FieldValues,
  by: VariantForm,
  list: Variant[],
  from: Variant[],
): Patch {
  const { kind, variant = "", name = "", weight = "" } = values;
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
