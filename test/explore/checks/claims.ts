/** Compares what a response reports with what was done. */
import { isApplied, isOutcomeUnknown } from "../../../infra/clients/api/error-codes.ts";
import { type Attempt, type Intent, outcomeIn } from "../world/intent.ts";
import { type Ledger, whichHold } from "./ledger.ts";

/** Called with the response and again at the end: what it reports as not written must not be written later. */
export function falseClaims(ledger: Ledger, attempt: Attempt, intent: Intent): string[] {
  const ofEnvironments = (intent.environments ?? []).flatMap((environment) =>
    falseClaimsOfEnvironment(ledger, attempt, intent, environment),
  );
  const isOfFeature = intent.tags || intent.creates || intent.deletes;
  return isOfFeature ? [...ofEnvironments, ...falseClaimsOfFeature(ledger, attempt, intent)] : ofEnvironments;
}

function falseClaimsOfEnvironment(
  { effects, traces }: Ledger,
  attempt: Attempt,
  intent: Intent,
  environment: string,
): string[] {
  const { name, reply } = attempt;
  const outcome = outcomeIn(attempt, environment);
  const ofIntent = effects.filter((one) => one.intent === intent.id && one.environment === environment);
  const own = ofIntent.filter((effect) => effect.attempt === name).length;
  // A feature that is made again is another: what was done in the first does not count in it.
  const ofLast = ofIntent.filter(({ life }) => life === ofIntent.at(-1)?.life);
  const times = intent.isIdempotent ? ofLast.length : own;
  const claim = `received ${reply?.status}, "${outcome}" in ${environment}`;
  const isPatched = outcome === "patched" || outcome === "already patched";
  const isOpen = isPatched || outcome === "not known" || outcome === "undone";
  // A trip is no change of its own.
  const isSilent =
    (reply?.status ?? 0) >= 400 && !intent.trips && reply?.headers["burgee-change"] === undefined;
  const isForbidden = reply?.status === 401 || reply?.status === 403;
  return whichHold({
    [`${claim}, and is there ${times} times`]: isPatched && times !== 1,
    [`${claim}, and wrote there`]: !isOpen && own > 0,
    [`${claim}, and it always changes something`]: outcome === "unchanged" && intent.leavesTrace,
    [`wrote ${own} times in ${environment}`]: own > 1,
    [`received ${reply?.status} without the id of its change, and wrote in ${environment}`]:
      isSilent && own > 0,
    [`received ${reply?.status}, after it wrote in ${environment}`]: isForbidden && own > 0,
    [`was undone in ${environment}, and is there`]:
      outcome === "undone" && traces[environment]?.includes(intent.id),
  });
}

function falseClaimsOfFeature({ effects }: Ledger, { name, reply }: Attempt, intent: Intent): string[] {
  if (!reply?.status) return [];
  const isRefused = reply.status >= 400 && !isApplied(reply.json.code) && !isOutcomeUnknown(reply.json.code);
  return whichHold({
    [`received ${reply.status}, and is there`]: isRefused && effects.some((one) => one.attempt === name),
    "received that it was applied, and is not there":
      isApplied(reply.json.code) && !effects.some((one) => one.intent === intent.id),
  });
}
