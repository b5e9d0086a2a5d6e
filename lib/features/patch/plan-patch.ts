/** Plans a patch of an environment: of its variants, of all that it has, or of one strategy. */
import { ConflictError, NotFoundError, ValidationError } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import type { Patch } from "../../contract/patch.ts";
import type { Strategy } from "../../contract/strategies.ts";
import type { VariantForm } from "../../contract/variants.ts";
import { inStrategyOrder } from "../active-strategies.ts";
import { patchHint } from "../change/hints.ts";
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
import { completeStrategies } from "./strategies-by-id.ts";
import {
  completeVariants,
  parsePatchedVariants,
  strategyWeightHint,
  variantsInForm,
} from "./variant-list.ts";

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

function planVariants(patch: Patch, form: VariantForm, before: EnvironmentContent): Plan {
  const { patched, replaced } = applyPatch(variantsInForm(before.variants, form), patch, {
    member: "variant",
    ...(form === "index" && { adviceFor: () => "names need ?by=name" }),
  });
  const parsed = parsePatchedVariants(patched, form);
  const after = { ...before, variants: completeVariants(parsed) };
  const paths = replaced.map((path) => `/variants${path}`);
  return { ...after, hint: patchHint(paths, before, { variants: parsed }, after) };
}

function planEnvironmentContent(patch: Patch, before: EnvironmentContent): Plan {
  const { patched, replaced } = applyPatch(toTree(before) as unknown as Json, patch, { adviceFor });
  const { parsed, content: after } = parseTree(patched, before);
  return { ...after, hint: patchHint(replaced, before, parsed, after) };
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
  const strategies = inStrategyOrder([...othersThan(id, content), ...completeStrategies([parsed], known)]);
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
