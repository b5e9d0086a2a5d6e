/** Plans a patch of an environment: of its variants, of all that it has, or of one strategy. */
import { ConflictError, NotFoundError, ValidationError } from "../../contract/errors.ts";
import type { Patch } from "../../contract/patch.ts";
import type { Strategy } from "../../contract/strategies.ts";
import type { Variant, VariantForm } from "../../contract/variants.ts";
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
import type { Json } from "./json.ts";
import { completeStrategies, inStrategyOrder } from "./strategies-by-id.ts";
import { parsePatchedVariants, variantsInForm } from "./variant-form.ts";
import { normalise, weightHint } from "./variant-list.ts";

/** Leaves what is not patched exactly as it is: an import may have stored weights that a patch would not leave. */
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

function planVariants(patch: Patch, form: VariantForm, content: EnvironmentContent): Plan {
  const { variants: before } = content;
  const { tree, replaced } = applyPatch(variantsInForm(before, form), patch, {
    member: "variant",
    wasThere: ([name, ...rest]) => rest.length === 0 && before.some((variant) => variant.name === name),
    ...(form === "index" && { adviceFor: () => "names need ?by=name" }),
  });
  const patched = parsePatchedVariants(tree, form);
  const variants = normalise(patched);
  const hint =
    replacedHint("variant", replaced, variants.map(nameOf)) ?? weightHint(before, patched, variants);
  return { ...content, variants, hint };
}

function planEnvironmentContent(patch: Patch, before: EnvironmentContent): Plan {
  const treeBefore = toTree(before);
  const { tree, replaced } = applyPatch(treeBefore as unknown as Json, patch, {
    wasThere: ([aspect, name = "", ...rest]) =>
      rest.length === 0 &&
      (aspect === "variants" || aspect === "strategies") &&
      Object.hasOwn(treeBefore[aspect], name),
    adviceFor,
  });
  const { patched, content: after } = parseTree(tree, before);
  const { variants, strategies } = after;
  const names = [...variants.map(nameOf), ...strategies.map(({ id }) => id)];
  const hint =
    replacedHint("variant or strategy", replaced, names) ??
    weightHint(before.variants, patched.variants ?? [], variants) ??
    strategyWeightHint(before.strategies, patched.strategies ?? [], strategies);
  return { ...after, hint };
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
  const { tree } = applyPatch((before ?? null) as Json, patch);
  const patched = parseOneStrategy(tree, id);
  const known = before ? [before] : [];
  const strategies = inStrategyOrder([...othersThan(id, content), ...completeStrategies([patched], known)]);
  requireStrategyCount(strategies);
  const plan = { ...content, strategies, hint: strategyWeightHint(known, [patched], strategies) };
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

function requireStrategyCount({ length }: readonly Strategy[]): void {
  const issue = strategiesIssue(length);
  if (issue !== undefined) throw new ValidationError(`The environment ${issue}`);
}

function strategyWeightHint(
  before: readonly Strategy[],
  patched: readonly Strategy[],
  after: readonly Strategy[],
): string | undefined {
  const variantsOf = (list: readonly Strategy[], id: string) =>
    list.find((strategy) => strategy.id === id)?.variants ?? [];
  for (const { id, variants } of patched) {
    const hint = weightHint(variantsOf(before, id), variants, variantsOf(after, id));
    if (hint !== undefined) return `Strategy "${id}": ${hint}`;
  }
  return undefined;
}

/** Names only what is still there: the name of what was removed again may be any text of the patch. */
function replacedHint(
  what: string,
  replaced: readonly string[],
  after: readonly string[],
): string | undefined {
  const name = replaced.find((member) => after.includes(member));
  return name === undefined ? undefined : `The patch replaces the ${what} "${name}", which was there already`;
}

const nameOf = ({ name }: Variant) => name;
