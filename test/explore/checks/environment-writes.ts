/** Finds what is wrong with a write of an environment: by itself, and by what its request is to do. */

import type { Intent } from "../world/intent.ts";
import { placeOf, wrongDrop } from "./changes.ts";
import {
  carriedBy,
  differs,
  type Environment,
  strategyTracesOf,
  touchedIn,
  tracesOf,
  wrongHistory,
} from "./environment.ts";
import { type Ledger, type MadeChange, whichHold } from "./ledger.ts";

/** Names are unique and sorted, and weights sum to 1000. */
export function wrongVariants({ environment, variants }: Environment): string[] {
  const names = variants.map(({ name }) => name);
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  return whichHold({
    [`left ${environment} with the variants ${names}`]: String([...new Set(names)].sort()) !== String(names),
    [`left ${environment} with weights that sum to ${sum}`]: variants.length > 0 && sum !== 1000,
  });
}

/** What is wrong with the next state of an environment, by any writer. */
export function wrongNextState(ledger: Ledger, was: Environment, is: Environment): string[] {
  const histories = wrongHistory(was, is).map((what) => `left ${is.environment} with ${what}`);
  return [...wrongRevision(was, is), ...histories, ...wrongDrops(ledger, was, is)];
}

function wrongRevision(was: Environment, is: Environment): string[] {
  const next = was.revision + (differs(was, is) ? 1 : 0);
  return is.revision === next
    ? []
    : [`took ${is.environment} from revision ${was.revision} to ${is.revision}`];
}

function wrongDrops(ledger: Ledger, was: Environment, is: Environment): string[] {
  const carried = new Set(carriedBy(is).map(({ revision }) => revision));
  const dropped = carriedBy(was).filter(({ revision }) => !carried.has(revision));
  return dropped.flatMap((change) => wrongDrop(ledger, change, placeOf(is)));
}

/** A change is made once in an environment, and has one time and one guard in all of them. */
export function wrongMadeChange(
  { changes, isDeleted }: Ledger,
  key: string,
  { change }: MadeChange,
): string[] {
  const elsewhere = Object.values(changes).find((made) => made.change.id === change.id);
  // Where the feature is created again, the request makes another change of the same id.
  const isOther = elsewhere && !isDeleted && timeAndGuardOf(elsewhere.change) !== timeAndGuardOf(change);
  return whichHold({
    [`made the change ${key} a second time`]: changes[key] !== undefined,
    [`made the change ${key} with another time or guard than in another environment`]: isOther,
  });
}

function timeAndGuardOf({ at, guard }: MadeChange["change"]): string {
  return JSON.stringify([at, guard]);
}

/** What is wrong with a change of an environment by the intent of its request, except for what an undo or a trip restores. */
export function wrongChange(intent: Intent, was: Environment, is: Environment): string[] {
  return [
    ...wrongTarget(intent, was),
    ...wrongPrecondition(intent, was),
    ...wrongMoves(intent, was),
    ...wrongSwitch(intent, is),
    ...wrongAspects(intent, was, is),
    ...wrongStrategyTraces(intent, was, is),
    ...wrongTraces(intent, was, is),
  ];
}

/** Every request of the scenarios is to the project default. */
function wrongTarget({ environments, isRefused }: Intent, { environment, project }: Environment): string[] {
  return whichHold({
    [`wrote to ${environment}`]: !environments?.includes(environment),
    [`wrote to ${environment} in ${project}`]: project !== "default",
    [`wrote to ${environment}, and was to be refused`]: isRefused,
  });
}

function wrongPrecondition(intent: Intent, { environment, revision }: Environment): string[] {
  const isOther = intent.revision !== undefined && revision !== intent.revision;
  return isOther ? [`wrote over revision ${revision} of ${environment}, which is not that of if-match`] : [];
}

function wrongMoves({ mayMoveNone }: Intent, { enabled, environment }: Environment): string[] {
  return mayMoveNone && enabled ? [`moved users in ${environment}`] : [];
}

function wrongSwitch(intent: Intent, { enabled, environment }: Environment): string[] {
  const isOther = intent.enabled !== undefined && enabled !== intent.enabled;
  return isOther ? [`left ${environment} ${enabled ? "on" : "off"}`] : [];
}

/** A switch changes only the switch, and a patch only the variants or only the strategies. */
function wrongAspects(intent: Intent, was: Environment, is: Environment): string[] {
  if (intent.undoes || intent.trips !== undefined) return [];
  const ofPatch = intent.leavesStrategyTrace ? "strategies" : "variants";
  const wanted = intent.enabled === undefined ? ofPatch : "enabled";
  const others = touchedIn(was, is).filter((aspect) => aspect !== wanted);
  return others.length > 0 ? [`changed ${others} of ${was.environment} too`] : [];
}

function wrongStrategyTraces(intent: Intent, was: Environment, is: Environment): string[] {
  if (!intent.leavesStrategyTrace) return [];
  const [had, has] = [strategyTracesOf(was), strategyTracesOf(is)];
  const isWrong = String([...had, intent.id]) !== String(has);
  return isWrong ? [`made of the strategies ${had} in ${was.environment}: ${has}`] : [];
}

function wrongTraces({ id, leavesTrace, isIdempotent }: Intent, was: Environment, is: Environment): string[] {
  if (!leavesTrace) return [];
  const [had, has] = [tracesOf(was), tracesOf(is)];
  return whichHold({
    [`made of ${had} in ${was.environment}: ${has}`]: String([...had, id]) !== String(has),
    [`left the trace ${id} in ${was.environment} twice`]: isIdempotent && had.includes(id),
  });
}
