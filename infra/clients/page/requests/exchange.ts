/** Sends a request to the API, and reads its response if there is one. */
import type { ErrorBody, ErrorCode } from "../../../../lib/contract/responses/error-body.ts";
import { isWriteUnknown } from "../../api/error-codes.ts";
import { keyIssue } from "../../api/key-issue.ts";
import { type ApiPath, pathIssue, pathOf } from "../../api/path.ts";
import { responseTimeoutMs } from "../../api/response-timeout.ts";

/** Why a request has no successful response, for the user in `error`. */
export type Failure =
  /** The page did not send the request. */
  | { kind: "invalid key" | "invalid request"; error: string }
  /** There is no response that the page can use, so that it is unknown what the request did. */
  | { kind: "no response"; error: string }
  | { kind: "error response"; error: string; status: number; headers: Headers; body: Partial<ErrorBody> };

type Reply = Failure | { kind: "response" | "loaded" | "preview" | "written" };

export function codeOf(reply: Reply): ErrorCode | undefined {
  return reply.kind === "error response" ? reply.body.code : undefined;
}

/** Whether what a write would have stored may be stored. */
export function leavesOutcomeUnknown(reply: Reply): boolean {
  if (reply.kind === "no response") return true;
  return reply.kind === "error response" && isWriteUnknown(reply.status, reply.body);
}

/** Whether the state that the request required is no longer the stored one. */
export function isPreconditionFailed(reply: Reply): boolean {
  return reply.kind === "error response" && reply.status === 412;
}

export type Exchanged = { kind: "response"; response: Response; json: unknown } | Failure;

/** `etag`: the ETag of the response, or "". */
export type Loaded<Body> = { kind: "loaded"; body: Body; etag: string } | Failure;

export async function load<Body>(path: ApiPath, key: string, init: RequestInit = {}): Promise<Loaded<Body>> {
  const exchanged = await exchange(path, key, init);
  if (exchanged.kind !== "response") return exchanged;
  const { response, json } = exchanged;
  if (json === undefined) return toFailure(response, json);
  return { kind: "loaded", body: json as Body, etag: response.headers.get("etag") ?? "" };
}

/** `json` is undefined where the body is not JSON. */
export async function exchange(path: ApiPath, key: string, init: RequestInit): Promise<Exchanged> {
  const ofKey = keyIssue(key);
  if (ofKey) return { kind: "invalid key", error: ofKey };
  const ofPath = pathIssue(path.names);
  if (ofPath) return { kind: "invalid request", error: ofPath };
  const headers = { ...init.headers, authorization: key };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), responseTimeoutMs);
  try {
    const response = await fetch(toApiUrl(path), {
      ...init,
      headers,
      credentials: "omit",
      signal: timeout.signal,
    });
    const json: unknown = await response.json().catch(() => undefined);
    return response.ok ? { kind: "response", response, json } : toFailure(response, json);
  } catch {
    return { kind: "no response", error: `No response from ${location.origin}` };
  } finally {
    clearTimeout(timer);
  }
}

/** The message of the API names a header, which the user of the page does not see. */
const unknownKey = "This API key is not valid: it is unknown, revoked or expired";

function toFailure({ status, headers }: Response, json: unknown): Failure {
  const body: Partial<ErrorBody> = Object(json);
  if (status === 401) return { kind: "error response", error: unknownKey, status, headers, body };
  return { kind: "error response", error: body.message ?? `HTTP status ${status}`, status, headers, body };
}

export function toApiUrl({ names, query }: ApiPath): string {
  return new URL(`.${pathOf(names, query)}`, location.href).href;
}
