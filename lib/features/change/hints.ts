/** Warns of surprises in the content that a change leaves, for example that SDKs do not see its variants. */
import { activeStrategies } from "../active-strategies.ts";
import type { Aspect, EnvironmentContent, Plan } from "../model.ts";
import type { Stamp } from "../stamp.ts";

/** Returns the hint of the content, and that of the plan. */
export function hintOf(
  plan: Plan,
  changedAspects: readonly Aspect[],
  { guard }: Pick<Stamp, "guard">,
): string | undefined {
  const unchangedHint = guard && "This environment does not change, so there is nothing to guard";
  const hint = changedAspects.length === 0 ? unchangedHint : contentHint(changedAspects, plan);
  return [hint, plan.hint].filter((text) => text).join(". ") || undefined;
}

/** The strategies that SDKs of Unleash have of their own. */
const builtInStrategies: ReadonlySet<string> = new Set([
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
  const unknown = active.find(({ name }) => !builtInStrategies.has(name));
  return changedAspects.includes("strategies") && unknown
    ? `SDKs do not know the strategy "${unknown.name}": only applications that define it can match it`
    : undefined;
}
