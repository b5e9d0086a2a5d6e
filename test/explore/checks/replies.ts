/** Finds what is wrong with a response, by what was written until it came. */
import { isOutcomeUnknown } from "../../../infra/clients/api/error-codes.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { tagMember } from "../../../lib/features/tags/tag-list.ts";
import { type Attempt, hasCode, type Intent, type Reply } from "../world/intent.ts";
import { isSwitchedSince, isTrippedAbove, isUndoneIn, isUndoOf, wrongList } from "./changes.ts";
import { tracesOf } from "./environment.ts";
import { type Ledger, whichHold } from "./ledger.ts";

/** What is wrong with a response other than what it reports of environments, which `falseClaims` has. */
export function wrongReply(ledger: Ledger, attempt: Attempt, intent: Intent, reply: Reply): string[] {
  const { status, json } = reply;
  return [
    ...wrongStatus(ledger, attempt, intent, reply),
    ...wrongGivingUp(ledger, attempt, reply),
    ...unknownOutcome(ledger, attempt, intent, reply),
    ...(status === 200 ? wrongSuccess(ledger, attempt, intent, reply) : []),
    ...(status === 200 && json.changes
      ? wrongList(ledger, ledger.starts[attempt.name]?.revisions, json.changes)
      : []),
    ...(status === 201 && intent.tags ? wrongTagsOfReply(ledger, attempt, intent.tags, reply) : []),
    ...wrongNamedUndo(ledger, reply),
    ...wrongRefusal(ledger, intent, reply),
  ];
}

function wrongSuccess(ledger: Ledger, attempt: Attempt, intent: Intent, reply: Reply): string[] {
  return [
    ...lostChange(ledger, intent, reply),
    ...wrongEtag(ledger, reply),
    ...(intent.undoes ? leftByUndo(ledger, attempt, intent.undoes) : []),
    ...(intent.trips === undefined ? [] : leftByTrip(ledger, attempt, reply)),
  ];
}

function wrongStatus({ starts }: Ledger, { name }: Attempt, intent: Intent, { status }: Reply): string[] {
  const isAccepted = status !== 401 && status !== 503;
  return whichHold({
    [`came with a revoked key and received ${status}`]: starts[name]?.isRevoked && isAccepted,
    [`received ${status}`]: status === 500 || (status === 400 && !intent.isExhaustible),
  });
}

/** A request gives up at its deadline, not before. */
function wrongGivingUp(ledger: Ledger, attempt: Attempt, { status, json }: Reply): string[] {
  const hasGivenUp = status === 503 || hasCode(json, "gave-up");
  return hasGivenUp && !mayBeLate(ledger, attempt) ? [`has starved: ${json.message}`] : [];
}

/**
 * Whether the deadline of the attempt has passed, or may have. A creation that was overtaken waits for the other one.
 * The clocks of the processes do not pass together, so here the other one may pause all the while.
 */
function mayBeLate({ late, overtaken }: Ledger, { name, intent }: Attempt): boolean {
  return late.includes(name) || (intent !== undefined && overtaken.includes(intent.id));
}

/** While the table responds, it shows what became of a write, unless the environment or the id of the update is gone. */
function unknownOutcome(
  ledger: Ledger,
  attempt: Attempt,
  { environments, tags }: Intent,
  { json }: Reply,
): string[] {
  const updates = ledger.updates - (ledger.starts[attempt.name]?.updates ?? 0);
  const mayBeLost = ledger.isDeleted || (tags && updates > limits.earlierWriteIds);
  const isKnown = (environments || tags) && !mayBeLost && !mayBeLate(ledger, attempt);
  return isKnown && isOutcomeUnknown(json.code) ? ["does not know its outcome"] : [];
}

function lostChange(ledger: Ledger, intent: Intent, { json }: Reply): string[] {
  const isOtherwise = (one: { environment: string; enabled: boolean }) =>
    one.enabled !== intent.enabled && !isSwitchedSince(ledger, intent.id, one);
  return whichHold({
    "received 200, and its change is not in the response":
      intent.leavesTrace && !ledger.isReplaced && !tracesOf(json).includes(intent.id),
    "received 200, and not the state that it was to make":
      intent.enabled !== undefined && json.environments.some(isOtherwise),
  });
}

function wrongEtag({ tracesByEtag }: Ledger, reply: Reply): string[] {
  const stored = tracesByEtag[etagIn(reply)];
  const { json } = reply;
  const isOfOthers = stored !== undefined && json.variants && stored !== String(tracesOf(json));
  return isOfOthers ? [`received ${tracesOf(json)} with the etag of ${stored}`] : [];
}

function wrongTagsOfReply(
  { effects, tagsByEtag }: Ledger,
  { name }: Attempt,
  { added, removed }: NonNullable<Intent["tags"]>,
  reply: Reply,
): string[] {
  const has: string[] = reply.json.tags.map(tagMember).sort();
  const stored = tagsByEtag[etagIn(reply)];
  const isMade = effects.some((effect) => effect.attempt === name);
  const isAsSent = added.every((tag) => has.includes(tag)) && !removed.some((tag) => has.includes(tag));
  return whichHold({
    [`received the tags ${has} with the etag of others`]: stored !== undefined && stored !== String(has),
    [`received 201 with the tags ${has}, and wrote nothing`]: !isMade && !isAsSent,
  });
}

const etagIn = ({ headers }: Reply) => headers.etag?.replaceAll('"', "") ?? "";

function wrongNamedUndo(ledger: Ledger, { headers, json: { undoneBy } }: Reply): string[] {
  const undone = headers["burgee-change"];
  const isUndo = undoneBy === undefined || isUndoOf(ledger, undoneBy, undone);
  return isUndo ? [] : [`received that ${undone} was undone by ${undoneBy}, which it was not`];
}

/** Where a request with an idempotency key is refused for a change, another one has made it. */
function wrongRefusal(ledger: Ledger, { id, isIdempotent }: Intent, { status, json }: Reply): string[] {
  const isOfOthers =
    ledger.isReplaced || ledger.isDeleted || ledger.effects.some(({ intent }) => intent !== id);
  const isRefused = status === 412 || hasCode(json, "changed-meanwhile");
  return isIdempotent && isRefused && !isOfOthers ? ["was refused for its own change"] : [];
}

/** Where the change was made before the undo began, it is gone when the undo is acknowledged. */
function leftByUndo(
  ledger: Ledger,
  { name }: Attempt,
  { intent: undone, change }: NonNullable<Intent["undoes"]>,
): string[] {
  const changed = ledger.starts[name]?.changed ?? [];
  const left = changed.filter(
    (environment) => ledger.traces[environment]?.includes(undone) || !isUndoneIn(ledger, environment, change),
  );
  return left.map((environment) => `was acknowledged, and ${undone} is in ${environment}`);
}

/** What was under the guard when the trip began is undone, or what was made since; or a later change is reported. */
function leftByTrip(ledger: Ledger, { name }: Attempt, { json }: Reply): string[] {
  if (json.features.length > 0) return [];
  const guarded = Object.entries(ledger.starts[name]?.guarded ?? {});
  const left = guarded.filter(
    ([environment, { id, revision }]) =>
      !isTrippedAbove(ledger, environment, revision) && !isUndoneIn(ledger, environment, id),
  );
  return left.map(([environment, { id }]) => `left ${id} in ${environment}`);
}
