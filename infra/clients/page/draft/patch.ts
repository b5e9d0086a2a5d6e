/** Parses, formats and applies JSON Patches of an environment, and says why a text is not JSON. */

import type { Json } from "../../../../lib/contract/json.ts";
import { forbiddenMembers, parsePointer, pointerPattern } from "../../../../lib/contract/json.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import type { Patch } from "../../../../lib/contract/patch.ts";
import { lastSortOrder } from "../../../../lib/contract/unleash-rules.ts";
import { applyPatch } from "../../../../lib/features/patch/apply-patch.ts";
import { printableLines } from "../../../cli/printable.ts";
import type { ShownAspect, ShownEnvironment, Variants } from "../requests/shown.ts";

export interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/** Returns the elements of the list, which may be any values; none if the text is not a list, as the server reports why. */
export function readPatch(text: string): Patch {
  try {
    const patch: unknown = JSON.parse(text);
    return Array.isArray(patch) ? patch : [];
  } catch {
    return [];
  }
}

/** Returns any value as an operation, whose missing or invalid members are "". */
export function readOperation(element: unknown): Operation {
  const { op, path, from, value }: Record<string, unknown> = Object(element);
  const textOf = (member: unknown) => (typeof member === "string" ? member : "");
  return { op: textOf(op), path: textOf(path), from: textOf(from), value };
}

/** Formats a patch, with each operation that is short enough on one line. */
export function writePatch(patch: readonly unknown[]): string {
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
 * Adds operations to the patch that the user has typed. A `replace` takes the place of the earlier operation of its path,
 * unless the patch has other operations, whose order may matter.
 */
export function withOperations(text: string, operations: readonly Operation[]): string {
  const patch = readPatch(text);
  const isPlain = patch.every((element) => readOperation(element).op === "replace");
  const isSetAgain = (element: unknown) =>
    operations.some(({ op, path }) => op === "replace" && path === readOperation(element).path);
  const rest = isPlain ? patch.filter((element) => !isSetAgain(element)) : patch;
  return writePatch([...rest, ...operations]);
}

/**
 * Returns the content after the patch, before the server normalises it; undefined if the page cannot draw it.
 *
 * It checks by hand what the server validates by schemas, since these and Zod would make the page a third larger. A test
 * runs both over the same patches: the page draws all that the server accepts, as the server stores it.
 */
export function applied(content: ShownEnvironment, patch: readonly unknown[]): ShownEnvironment | undefined {
  const { environment, etag, ...tree } = content;
  if (patch.length > limits.patchOperations || !patch.every(isOperation)) return undefined;
  try {
    const { patched: after } = applyPatch(tree as unknown as Json, patch as Patch);
    const complete = withDefaults(after);
    return isContent(complete) ? { ...complete, environment, etag } : undefined;
  } catch {
    return undefined;
  }
}

/** The member that an operation has besides its path, by its `op`. */
const otherMembers: Readonly<Record<string, "value" | "from" | undefined>> = {
  add: "value",
  remove: undefined,
  replace: "value",
  copy: "from",
  move: "from",
};

function isOperation(element: unknown): boolean {
  const { op, path, from }: Record<string, unknown> = Object(element);
  if (typeof op !== "string" || !Object.hasOwn(otherMembers, op) || !isPointer(path)) return false;
  const other = otherMembers[op];
  return other === "value" ? Object.hasOwn(Object(element), "value") : other === undefined || isPointer(from);
}

function isPointer(text: unknown): boolean {
  return (
    typeof text === "string" &&
    pointerPattern.test(text) &&
    !parsePointer(text).some((name) => forbiddenMembers.has(name))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const areObjects = (value: unknown): value is Record<string, Record<string, unknown>> =>
  isObject(value) && Object.values(value).every(isObject);

const isText = (value: unknown) => typeof value === "string";
const isTextIfThere = (value: unknown) => value === undefined || isText(value);
const areTexts = (value: unknown) => isObject(value) && Object.values(value).every(isText);

/** Whether it compares a context field with texts, as a constraint and an override do. */
function isComparison(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { contextName, operator, value: one, values = [] } = value;
  return (
    isText(contextName) &&
    [operator, one].every(isTextIfThere) &&
    Array.isArray(values) &&
    values.every(isText)
  );
}

const areComparisons = (value: unknown) => Array.isArray(value) && value.every(isComparison);

const areVariants = (value: unknown): value is Variants =>
  areObjects(value) &&
  Object.values(value).every(
    ({ weight, stickiness, payload = {}, overrides = [] }) =>
      typeof weight === "number" &&
      isTextIfThere(stickiness) &&
      areTexts(payload) &&
      areComparisons(overrides),
  );

const areStrategies = (value: unknown) =>
  areObjects(value) &&
  Object.values(value).every(
    ({ title, parameters, constraints, variants }) =>
      isTextIfThere(title) && areTexts(parameters) && areComparisons(constraints) && areVariants(variants),
  );

/** Adds the members that a patch may leave out of variants and strategies. */
function withDefaults(patched: unknown): unknown {
  if (!isObject(patched)) return patched;
  const { variants, strategies } = patched;
  return {
    ...patched,
    variants: completed(variants, defaultsOfVariant),
    strategies: completed(strategies, defaultsOfStrategy, (strategy) => ({
      ...strategy,
      variants: completed(strategy.variants, defaultsOfVariant),
    })),
  };
}

const defaultsOfVariant = { weightType: "variable", stickiness: "default" };
const defaultsOfStrategy = { sortOrder: lastSortOrder, parameters: {}, constraints: [], variants: {} };

/** Leaves what is no object of objects as it is. */
function completed(
  members: unknown,
  defaults: object,
  complete = (member: Record<string, unknown>): object => member,
): unknown {
  if (!areObjects(members)) return members;
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map(([name, member]) => [name, complete({ ...defaults, ...member })]));
}

/** Whether the page can draw what a patch has left of the aspect. It draws no dependencies, and any targeting as JSON. */
const canDraw: Readonly<Record<ShownAspect, (value: unknown) => boolean>> = {
  enabled: (value) => typeof value === "boolean",
  variants: areVariants,
  strategies: areStrategies,
  dependencies: () => true,
  targeting: () => true,
};

type Content = Omit<ShownEnvironment, "environment" | "etag">;

function isContent(value: unknown): value is Content {
  return (
    isObject(value) && Object.entries(canDraw).every(([aspect, canDrawValue]) => canDrawValue(value[aspect]))
  );
}

/** Returns "" for JSON; otherwise the error of the browser, which names or quotes the place. */
export function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
