/** Says what came of a request: what it did, or what it may have left half done. */
import type { Half } from "./kept.ts";
import type { PatchRequest } from "./request.ts";
import type { Reply } from "./send.ts";
import { wordsOf } from "./verdict.ts";

/** What is kept of a request before its response; `earlier` is what was kept of an attempt before it. */
export function halfBefore({ key, ...request }: PatchRequest, earlier: Half | undefined): Half {
  const title = `The ${wordsOf(request).name} may be half done`;
  const { stop, change = "" } = earlier ?? {};
  return { request, title, cause: "The page was left before the response.", stop, change };
}

/** Returns undefined if the request has changed every environment, or none. */
export function halfAfter(reply: Reply, sent: Half, isRetry: boolean): Half | undefined {
  const { error, status, details, change } = reply;
  const isPatched = details.some(({ outcome }) => outcome === "patched" || outcome === "already patched");
  // The header names what is stored, or may be.
  const isUnknown = status === 0 || status >= 500 || change !== "";
  if (!error || !(isRetry || isPatched || isUnknown)) return undefined;
  const title = isPatched ? `The ${wordsOf(sent.request).name} is half done` : sent.title;
  const stop = details.find(({ outcome }) => outcome === "failed")?.environment ?? sent.stop;
  return { ...sent, title, cause: error, stop, change: change || sent.change };
}

/** What came of a request, and the change to undo if it made one. */
export interface Result {
  title: string;
  error: string;
  hint?: string;
  undo?: { change: string; environment: string; where: readonly string[] };
}

export function resultOf(request: PatchRequest, plan: Reply, reply: Reply, isRetry: boolean): Result {
  const { name, done } = wordsOf(request);
  const { error, change } = reply;
  if (error) return { title: `Nothing was ${done.toLowerCase()}`, error };
  const where = plan.environments.flatMap(({ environment, outcome }) =>
    outcome === "will be patched" || (isRetry && outcome === "already patched") ? environment : [],
  );
  const place = `${request.feature} in ${where.join(", ")}`;
  const title = isRetry ? `Finished: every environment has the ${name}.` : `${done}: ${place}`;
  const { environment } = request;
  const { hint } = reply;
  return { title, error, hint, ...(change && !request.change && { undo: { change, environment, where } }) };
}
