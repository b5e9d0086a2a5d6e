/** Plans a patch of an environment: of its variants, of a strategy or of all that it has. Hints at what may surprise. */
import { ConflictError, NotFoundError, ValidationError } from "../../contract/errors.ts";
import { formatPointer, type Json, parsePointer } from "../../contract/json.ts";
import type { Patch } from "../../contract/patch.ts";
import type { Strategy } from "../../contract/strategies.ts";
import type { VariantForm } from "../../contract/variants.ts";
import { inStrategyOrder } from "../active-strategies.ts";
import {
  contentOf,
  type EnvironmentContent,
  type PatchEdit,
  type Plan,
  type StrategyEdit,
} from "../model.ts";
import { applyPatch } from "./apply-patch.ts";
import { requireRoom, strategiesIssue } from "./content-size.ts";
import { adviceFor, parseOneStrategy, parseTree, toTree } from "./environment-tree.ts";
import { normaliseStrategies } from "./strategies-by-id.ts";
import {
  isSharedEvenly,
  normaliseVariants,
  parsePatchedVariants,
  variantsInForm,
  type Weighted,
} from "./variant-list.ts";

/** Leaves other aspects exactly as they are: an import may have stored weights that a patch would not leave. */
export function planPatch(edit: PatchEdit, state: EnvironmentContent): Plan {
  const content = contentOf(state);
  const { patch } = edit;
  if (patch.length === 0) return content;
  const plan =
    edit.root === "variants"
      ? planVariants(patch, edit.form, content)
      : planEnvironmentContent(patch, content);
  requireRoom(plan);
  return plan;
}

function planVariants(patch: Patch, form: VariantForm, before: EnvironmentContent): Plan {
  const { patched, overwritten } = applyPatch(variantsInForm(before.variants, form), patch, {
    member: "variant",
    ...(form === "index" && { adviceFor: () => "names need ?by=name" }),
  });
  const parsed = parsePatchedVariants(patched, form);
  const after = { ...before, variants: normaliseVariants(parsed) };
  const paths = overwritten.map((path) => `/variants${path}`);
  return { ...after, hint: patchHint(paths, before, { variants: parsed }, after) };
}

function planEnvironmentContent(patch: Patch, before: EnvironmentContent): Plan {
  const { patched, overwritten } = applyPatch(toTree(before) as unknown as Json, patch, { adviceFor });
  const { parsed, content: after } = parseTree(patched, before);
  return { ...after, hint: patchHint(overwritten, before, parsed, after) };
}

export function planStrategy(edit: StrategyEdit, state: EnvironmentContent): Plan {
  const content = contentOf(state);
  const { id } = edit;
  if (edit.action === "add") {
    if (content.strategies.some((strategy) => strategy.id === id)) {
      throw new ConflictError(`The strategy "${id}" already exists`, { code: "exists" });
    }
    return planPatchedStrategy(edit.patch, id, content);
  }
  const before = requireStrategy(content, id);
  if (edit.action === "remove") return { ...content, strategies: othersThan(id, content) };
  return edit.patch.length === 0 ? content : planPatchedStrategy(edit.patch, id, content, before);
}

function othersThan(id: string, { strategies }: EnvironmentContent): Strategy[] {
  return strategies.filter((strategy) => strategy.id !== id);
}

/** Applies the patch to the strategy in Unleash's form: its variants are a list, and its id is a member. */
function planPatchedStrategy(patch: Patch, id: string, content: EnvironmentContent, before?: Strategy): Plan {
  const { patched } = applyPatch((before ?? null) as Json, patch);
  const parsed = parseOneStrategy(patched, id);
  const known = before ? [before] : [];
  const strategies = inStrategyOrder([...othersThan(id, content), ...normaliseStrategies([parsed], known)]);
  const tooMany = strategiesIssue(strategies.length);
  if (tooMany !== undefined) throw new ValidationError(`The environment ${tooMany}`);
  const plan = { ...content, strategies, hint: strategyWeightHint(known, [parsed], strategies) };
  requireRoom(plan);
  return plan;
}

export function requireStrategy(
  { strategies }: Pick<EnvironmentContent, "strategies">,
  id: string,
): Strategy {
  const strategy = strategies.find((strategy) => strategy.id === id);
  if (!strategy) throw new NotFoundError(`There is no strategy "${id}"`);
  return strategy;
}

/**
 * Compares what was there `before` with the aspects as the patch left them (`parsed`), and as they are normalised
 * (`after`). `overwritten` has the paths of members.
 */
function patchHint(
  overwritten: readonly string[],
  before: EnvironmentContent,
  parsed: Partial<EnvironmentContent>,
  after: EnvironmentContent,
): string | undefined {
  return (
    overwrittenHint(overwritten, before, after) ??
    weightHint(before.variants, parsed.variants ?? [], after.variants) ??
    strategyWeightHint(before.strategies, parsed.strategies ?? [], after.strategies)
  );
}

/** Names the first element that the patch has put over one of the same name, unless the patch has removed it again. */
function overwrittenHint(
  overwritten: readonly string[],
  before: EnvironmentContent,
  after: EnvironmentContent,
): string | undefined {
  if (overwritten.length === 0) return undefined;
  const [wasThere, isThere] = [elementPaths(before), elementPaths(after)];
  const path = overwritten.find((path) => wasThere.has(path) && isThere.has(path));
  if (path === undefined) return undefined;
  const [aspect, name] = parsePointer(path);
  const what = aspect === "variants" ? "variant" : "strategy";
  return `The patch replaces the ${what} "${name}", which was there already`;
}

/** Returns the paths of all elements that the tree has by name: `/variants/blue`, `/strategies/s1`. */
function elementPaths({ variants, strategies }: EnvironmentContent): ReadonlySet<string> {
  return new Set([
    ...variants.map(({ name }) => formatPointer(["variants", name])),
    ...strategies.map(({ id }) => formatPointer(["strategies", id])),
  ]);
}

/**
 * Warns of a weight that normalising has changed:
 *
 *   that the patch had set   blue and red have 500 each, the patch sets blue to 300, and normalising to 500 again
 *   that was stored          an import stored blue with 300 and red with 700, both variable; both get 500
 */
function weightHint(
  before: readonly Weighted[],
  parsed: readonly Weighted[],
  after: readonly Weighted[],
): string | undefined {
  const weightAfter = weightsOf(after);
  const normalised = parsed.filter(({ name, weight }) => weight !== weightAfter.get(name));
  return ineffectiveWeightHint(before, normalised) ?? storedWeightHint(before, normalised, weightAfter);
}

type Weights = ReadonlyMap<string, number>;

function weightsOf(variants: readonly Weighted[]): Weights {
  return new Map(variants.map(({ name, weight }) => [name, weight]));
}

const evenShares = "variable variants share evenly what the fix ones leave; set weightType to fix to keep it";

/** `normalised` are the variants as the patch left them, whose weights normalising has changed. */
function ineffectiveWeightHint(
  before: readonly Weighted[],
  normalised: readonly Weighted[],
): string | undefined {
  const weightBefore = weightsOf(before);
  // Most variants are added with the weight 0, which asks for no share.
  const isSet = ({ name, weight }: Weighted) =>
    weightBefore.has(name) ? weight !== weightBefore.get(name) : weight > 0;
  const variant = normalised.find(isSet);
  return variant && `The weight ${variant.weight} of variant "${variant.name}" has no effect: ${evenShares}`;
}

function storedWeightHint(
  before: readonly Weighted[],
  normalised: readonly Weighted[],
  weightAfter: Weights,
): string | undefined {
  if (isSharedEvenly(before)) return undefined;
  const weightBefore = weightsOf(before);
  const variant = normalised.find(({ name }) => weightBefore.has(name));
  if (!variant) return undefined;
  const { name, weight } = variant;
  return `The weight of variant "${name}" goes from ${weight} to ${weightAfter.get(name)}: ${evenShares}`;
}

function strategyWeightHint(
  before: readonly Strategy[],
  parsed: readonly Strategy[],
  after: readonly Strategy[],
): string | undefined {
  const variantsOf = (list: readonly Strategy[], id: string) =>
    list.find((strategy) => strategy.id === id)?.variants ?? [];
  for (const { id, variants } of parsed) {
    const hint = weightHint(variantsOf(before, id), variants, variantsOf(after, id));
    if (hint !== undefined) return `Strategy "${id}": ${hint}`;
  }
  return undefined;
}
