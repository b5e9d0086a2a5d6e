/** Sends a change, or its dry run. */
import type { Detail, ErrorBody, Outcome } from "../../lib/contract/error-body.ts";
import type { DifferenceOperation } from "../../lib/contract/responses.ts";
import { keyIssue } from "../client/key-issue.ts";
import { exchange, otherPath } from "./exchange.ts";
import type { Move } from "./load.ts";
import { jsonError } from "./patch.ts";
import { bodyOf, type Draft, headersOf, methodOf, urlOf } from "./request.ts";

/** An environment of a dry run. */
export interface Planned {
  environment: string;
  outcome: Outcome;
  difference?: DifferenceOperation[];
  moves?: Move[];
  message?: string;
  hint?: string;
}

export type Reply = Awaited<ReturnType<typeof send>>;

interface Body extends Partial<ErrorBody> {
  environments?: Planned[];
  details?: Detail[];
  missingPermissions?: { permission: string; environment?: string }[];
}

/** `error` is why the request failed, or empty; where the page cannot know whether it did, the status is 0. */
export async function send(draft: Draft, key: string, mode: "dry run" | "write", ifMatch = "*") {
  const url = urlOf(draft, mode === "dry run" ? { dryRun: "true" } : {});
  const headers = { authorization: key, ...headersOf(draft, ifMatch) };
  const init: RequestInit = { method: methodOf(draft), headers, redirect: "error" };
  // The server would not say where the text stops being JSON.
  const invalid =
    keyIssue(key) ||
    otherPath([draft.project, draft.feature, draft.environment]) ||
    (draft.undo ? "" : jsonError(draft.text));
  const { response, json } = invalid ? {} : await exchange(url, { ...init, body: bodyOf(draft) });
  const { environments = [], details = [], missingPermissions = [], ...body }: Body = Object(json);
  const { message = `HTTP status ${response?.status}` } = body;
  const etag = response?.headers.get("etag") ?? "";
  const lost = `No response from ${location.origin}`;
  // Apply would have no precondition.
  const unsafe = "This page could not see changes since its preview: the response has no ETag";
  const error = invalid || (!response ? lost : !response.ok ? message : etag === "" ? unsafe : "");
  return {
    // What was not sent has no response, but its outcome is known.
    status: invalid ? 400 : response && error !== unsafe ? response.status : 0,
    error,
    details,
    etag,
    missingPermissions,
    environments,
    change: response?.headers.get("burgee-change") ?? "",
    hint: response?.headers.get("burgee-hint") ?? "",
  };
}

export function named<Type extends { environment?: string }>(environments: readonly Type[], name: string) {
  return environments.find(({ environment }) => environment === name);
}
