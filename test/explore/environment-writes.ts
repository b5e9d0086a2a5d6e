/** Finds what is wrong with a write of an environment: by itself, and by what its request is to do. */
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
import type { Wish } from "./world/wish.ts";

/** Names are unique and sorted, and weights sum to 1000. */
export function wrongVariants({ environment, variants }: Environment): string[] {
  const names = variants.map(({ name }) => name);
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  return whichHold({
    [`left ${environment} with the variants ${names}`]: String([...new Set(names)].sort()) !== String(names),
    [`left ${environment} with weights that sum to ${sum}`]: variants.length > 0 && sum !== 1000,
  });
}

/** What is wrong with the next state of an environment, whoever wrote it. */
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

/** What is wrong with a change of an environment by the wish of its request, except for what an undo or a trip restores. */
export function wrongChange(wish: Wish, was: Environment, is: Environment): string[] {
  return [
    ...wrongTarget(wish, was),
    ...wrongPrecondition(wish, was),
    ...wrongMoves(wish, was),
    ...wrongSwitch(wish, is),
    ...wrongAspects(wish, was, is),
    ...wrongStrategyTraces(wish, was, is),
    ...wrongTraces(wish, was, is),
  ];
}

/** Every request of the scenarios is to the project default. */
function wrongTarget({ environments, isRefused }: Wish, { environment, project }: Environment): string[] {
  return whichHold({
    [`wrote to ${environment}`]: !environments?.includes(environment),
    [`wrote to ${environment} in ${project}`]: project !== "default",
    [`wrote to ${environment}, and was to be refused`]: isRefused,
  });
}

function wrongPrecondition(wish: Wish, { environment, revision }: Environment): string[] {
  const isOther = wish.revision !== undefined && revision !== wish.revision;
  return isOther ? [`wrote over revision ${revision} of ${environment}, which is not that of if-match`] : [];
}

function wrongMoves({ mayMoveNone }: Wish, { enabled, environment }: Environment): string[] {
  return mayMoveNone && enabled ? [`moved users in ${environment}`] : [];
}

function wrongSwitch(wish: Wish, { enabled, environment }: Environment): string[] {
  const isOther = wish.enabled !== undefined && enabled !== wish.enabled;
  return isOther ? [`left ${environment} ${enabled ? "on" : "off"}`] : [];
}

/** A switch changes only the switch, and a patch only the variants or only the strategies. */
function wrongAspects(wish: Wish, was: Environment, is: Environment): string[] {
  if (wish.undoes || wish.trips !== undefined) return [];
  const ofPatch = wish.leavesStrategyTrace ? "strategies" : "variants";
  const wanted = wish.enabled === undefined ? ofPatch : "enabled";
  const others = touchedIn(was, is).filter((aspect) => aspect !== wanted);
  return others.length > 0 ? [`changed ${others} of ${was.environment} too`] : [];
}

function wrongStrategyTraces(wish: Wish, was: Environment, is: Environment): string[] {
  if (!wish.leavesStrategyTrace) return [];
  const [had, has] = [strategyTracesOf(was), strategyTracesOf(is)];
  const isWrong = String([...had, wish.id]) !== String(has);
  return isWrong ? [`made of the strategies ${had} in ${was.environment}: ${has}`] : [];
}

function wrongTraces({ id, leavesTrace, isIdempotent }: Wish, was: Environment, is: Environment): string[] {
  if (!leavesTrace) return [];
  const [had, has] = [tracesOf(was), tracesOf(is)];
  return whichHold({
    [`made of ${had} in ${was.environment}: ${has}`]: String([...had, id]) !== String(has),
    [`left the trace ${id} in ${was.environment} twice`]: isIdempotent && had.includes(id),
  });
}
