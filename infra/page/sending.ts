/** What a request that is sent, and its response, change of the state. */
import { type Half, halfOf, isHalfOf } from "./kept.ts";
import { halfAfter, halfBefore, resultOf } from "./outcome.ts";
import type { Preview } from "./preview.ts";
import { isPatch, type PatchRequest } from "./request.ts";
import { named, type Reply } from "./send.ts";
import { edited, type PageState, scopeOf } from "./state.ts";

export function sending(state: PageState, request: PatchRequest): PageState {
  const earlier = state.halves.find((half) => isHalfOf(half, request));
  return { ...state, pending: halfBefore(request, earlier), isSending: true };
}

/** What a reload of the tab needs. */
export function halvesToKeep({ halves, pending }: PageState): readonly Half[] {
  return pending ? [...without(halves, pending.request), pending] : halves;
}

/** `before` is the state in which the request was sent. */
export function replied(
  before: PageState,
  { draft: request, stored, plan }: Preview,
  reply: Reply,
): PageState {
  const { error, status, details } = reply;
  const earlier = before.halves.find((half) => isHalfOf(half, request));
  const isRetry = earlier !== undefined;
  const half = halfAfter(reply, halfBefore(request, earlier), isRetry);
  const rest = without(before.halves, request).filter((each) => error !== "" || !isUndoneBy(each, request));
  const halves = half ? [...rest, half] : rest;
  const patched = plan.environments.filter((each) =>
    /patched/.test(named(details, each.environment)?.outcome ?? ""),
  );
  const inScope = stored.filter(({ environment }) => ["", environment].includes(request.environment));
  // A patch says nothing of the switch, which stays.
  const expected = inScope.map((each) => ({ ...each, ...named(patched, each.environment) }));
  const seen = [409, 412].includes(status) ? expected : [];
  const next = halfOf(halves, request)?.request ?? {
    reason: "",
    environment: scopeOf(before),
    ...(isPatch(request) ? { text: "[]" } : { change: "", switchTo: "" }),
  };
  return {
    ...edited({ ...before, halves, seen }, error ? request : next),
    scope: error ? before.scope : undefined,
    result: half ? undefined : resultOf(request, plan, reply, isRetry),
    isSending: false,
  };
}

export function leaving(state: PageState, { request }: Half): PageState {
  const rest = { ...state, halves: without(state.halves, request) };
  const isCurrent = request.idempotencyKey === state.draft.idempotencyKey;
  return isCurrent ? edited(rest, { text: "[]", change: "", switchTo: "", reason: "" }) : rest;
}

function without(halves: readonly Half[], { idempotencyKey }: Pick<PatchRequest, "idempotencyKey">) {
  return halves.filter(({ request }) => request.idempotencyKey !== idempotencyKey);
}

function isUndoneBy({ change, request }: Half, { change: undone, environment }: PatchRequest): boolean {
  return undone !== "" && change === undone && request.environment === environment;
}
