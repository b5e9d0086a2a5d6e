/** Says what may surprise in what a change or a patch leaves, for example that SDKs do not see its variants. */
import { formatPointer, parsePointer } from "../../contract/json.ts";
import { activeStrategies } from "../active-strategies.ts";
import type { Aspect, EnvironmentContent, Plan } from "../model.ts";
import { strategyWeightHint, weightHint } from "../patch/variant-list.ts";
import type { Stamp } from "../stamp.ts";

/**
 * Compares what was there `before` with the aspects as the patch left them (`parsed`), and with what they became. The
 * paths are those of the members that the patch has replaced.
 */
export function patchHint(
  replaced: readonly string[],
  before: EnvironmentContent,
  parsed: Partial<EnvironmentContent>,
  after: EnvironmentContent,
): string | undefined {
  return (
    replacedHint(replaced, before, after) ??
    weightHint(before.variants, parsed.variants ?? [], after.variants) ??
    strategyWeightHint(before.strategies, parsed.strategies ?? [], after.strategies)
  );
}

/** Names the first element that the patch has put in the place of one of this name, and that is still there. */
function replacedHint(
  replaced: readonly string[],
  before: EnvironmentContent,
  after: EnvironmentContent,
): string | undefined {
  if (replaced.length === 0) return undefined;
  const [wasThere, isThere] = [elementPaths(before), elementPaths(after)];
  const path = replaced.find((path) => wasThere.has(path) && isThere.has(path));
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

/** Returns the hint of the content, and that of the plan. */
export function hintOf(
  plan: Plan,
  changedAspects: readonly Aspect[],
  { guard }: Pick<Stamp, "guard">,
): string | undefined {
  const unchangedHint = guard && "This environment does not change, so there is nothing to guard";
  const hint = changedAspects.length === 0 ? unchangedHint : contentHint(changedAspects, plan);
  return [hint, plan.hint].filter((text) => text !== undefined).join(". ") || undefined;
}

/** The strategies that SDKs of Unleash have of their own. */
const builtIn: ReadonlySet<string> = new Set([
  "default",
  "flexibleRollout",
  "userWithId",
  "remoteAddress",
  "applicationHostname",
  "gradualRolloutUserId",
  "gradualRolloutSessionId",
  "gradualRolloutRandom",
]);

/** Returns the first hint that applies. */
function contentHint(
  changedAspects: readonly Aspect[],
  { enabled, variants, strategies, targeting }: EnvironmentContent,
): string | undefined {
  const active = activeStrategies(strategies);
  if (changedAspects.includes("variants")) {
    const withVariants = active.find((strategy) => strategy.variants.length > 0);
    if (withVariants && variants.length > 0)
      return `SDKs of Unleash do not see these variants where strategy "${withVariants.id}" matches, which has its own`;
    if (targeting !== null) return "flagd does not see the weights: the targeting of the feature decides";
  }
  const allDisabled = strategies.length > 0 && active.length === 0;
  const changesWhoGetsIt = changedAspects.includes("strategies") || changedAspects.includes("enabled");
  if (enabled && allDisabled && changesWhoGetsIt)
    return "All strategies are disabled, so the feature is on for no user";
  const unknown = active.find(({ name }) => !builtIn.has(name));
  return changedAspects.includes("strategies") && unknown
    ? `SDKs do not know the strategy "${unknown.name}": only applications that define it can match it`
    : undefined;
}
