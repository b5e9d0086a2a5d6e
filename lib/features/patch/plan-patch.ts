/** Plans a patch of an environment: of its variants, of all that it has, or of one strategy. */
import { ConflictError, NotFoundError, ValidationError } from "../../contract/errors.ts";
import type { Patch } from "../../contract/patch.ts";
import type { Strategy } from "../../contract/strategies.ts";
import type { Variant } from "../../contract/variants.ts";
import {
  type Aspect,
  contentOf,
  type EnvironmentContent,
  type PatchEdit,
  type Plan,
  type StrategyRoot,
} from "../model.ts";
import { applyPatch } from "./apply-patch.ts";
import { requireRoom, strategiesIssue } from "./content-size.ts";
import { parseDocument, parseOneStrategy, toDocument } from "./environment-form.ts";
import type { Json } from "./json.ts";
import { completeStrategies, inStrategyOrder } from "./strategy-form.ts";
import { parsePatched, toForm } from "./variant-form.ts";
import { normalise, weightHint } from "./variant-list.ts";

/** What is not patched stays exactly as it is: an import may have stored weights that a patch would not leave. */
export function planPatch(edit: Omit<PatchEdit, "kind">, state: EnvironmentContent): Plan {
  const content = contentOf(state);
  const { root, patch } = edit;
  if (typeof root === "object") return planStrategy(patch, root, content);
  if (patch.length === 0) return content;
  const plan = root === "variants" ? patchVariants(edit, content) : patchEnvironment(patch, content);
  requireRoom(plan);
  return plan;
}

function patchVariants(
  { patch, form }: Pick<PatchEdit, "patch" | "form">,
  content: EnvironmentContent,
): Plan {
  const { variants } = content;
  const replaced: string[] = [];
  const document = applyPatch(toForm(variants, form), patch, {
    member: "variant",
    onReplaced: (name) => replaced.push(name),
  });
  const patchedAsSent = parsePatched(document, form);
  const patched = normalise(patchedAsSent);
  return {
    ...content,
    variants: patched,
    hint:
      replacedHint("variant", replaced, patched.map(nameOf)) ?? weightHint(variants, patchedAsSent, patched),
  };
}

function patchEnvironment(patch: Patch, content: EnvironmentContent): Plan {
  const replaced: string[] = [];
  const before = toDocument(content);
  const document = applyPatch(before as unknown as Json, patch, {
    memberDepth: 2,
    onReplaced: (name) => replaced.push(name),
  });
  const { sent, content: after } = parseDocument(document, content);
  const { variants, strategies } = after;
  const names = [...variants.map(nameOf), ...strategies.map(({ id }) => id)];
  return {
    ...after,
    hint:
      replacedHint("variant or strategy", replaced, names) ??
      weightHint(content.variants, sent.variants ?? [], variants) ??
      strategyWeightHint(content.strategies, sent.strategies ?? [], strategies),
  };
}

/** Unleash's form: its variants are a list, and its id is a member. */
function planStrategy(patch: Patch, { strategy: id, as }: StrategyRoot, content: EnvironmentContent): Plan {
  const before = as === "new" ? [] : [requireStrategy(content, id)];
  const others = content.strategies.filter((one) => one.id !== id);
  if (as === "removed") return { ...content, strategies: others };
  if (as === "new" && others.length < content.strategies.length) {
    throw new ConflictError(`There is a strategy "${id}" already`);
  }
  if (patch.length === 0) return content;
  const sent = parseOneStrategy(applyPatch((before[0] ?? null) as Json, patch), id);
  const strategies = inStrategyOrder([...others, ...completeStrategies([sent], before)]);
  requireFewStrategies(strategies);
  const plan = { ...content, strategies, hint: strategyWeightHint(before, [sent], strategies) };
  requireRoom(plan);
  return plan;
}

export function requireStrategy(
  { strategies }: Pick<EnvironmentContent, "strategies">,
  id: string,
): Strategy {
  const found = strategies.find((one) => one.id === id);
  if (!found) throw new NotFoundError(`There is no strategy "${id}"`);
  return found;
}

function requireFewStrategies({ length }: readonly Strategy[]): void {
  const issue = strategiesIssue(length);
  if (issue !== undefined) throw new ValidationError(`The environment ${issue}`);
}

function strategyWeightHint(
  before: readonly Strategy[],
  sent: readonly Strategy[],
  after: readonly Strategy[],
): string | undefined {
  const variantsOf = (list: readonly Strategy[], id: string) =>
    list.find((one) => one.id === id)?.variants ?? [];
  for (const { id, variants } of sent) {
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
  const name = replaced.find((one) => after.includes(one));
  return name === undefined ? undefined : `The patch replaces the ${what} "${name}", which was there already`;
}

const nameOf = ({ name }: Variant) => name;

/** The strategies that SDKs of Unleash have of their own. */
const builtIn: ReadonlySet<string> = new Set([
  ...["default", "flexibleRollout", "userWithId", "remoteAddress", "applicationHostname"],
  ...["gradualRolloutUserId", "gradualRolloutSessionId", "gradualRolloutRandom"],
]);

/** Why SDKs do not see what a change has changed, by the state that it leaves. */
export function unseenHint(
  touched: readonly Aspect[],
  { enabled, variants, strategies, targeting }: EnvironmentContent,
) {
  const active = strategies.filter(({ disabled }) => !disabled);
  const having = active.find((one) => one.variants.length > 0);
  const custom = active.find(({ name }) => !builtIn.has(name));
  const hints = [
    touched.includes("variants") && having && variants.length > 0
      ? `SDKs of Unleash do not see these variants where strategy "${having.id}" matches, which has its own`
      : undefined,
    touched.includes("variants") && targeting !== null
      ? "flagd does not see the weights: the targeting of the feature decides"
      : undefined,
    (touched.includes("enabled") || touched.includes("strategies")) &&
    enabled &&
    strategies.length > 0 &&
    active.length === 0
      ? "All strategies are disabled: it is on for no user"
      : undefined,
    touched.includes("strategies") && custom
      ? `SDKs do not know the strategy "${custom.name}": it is on for users of applications that define it`
      : undefined,
  ];
  return hints.find((hint) => hint !== undefined);
}
