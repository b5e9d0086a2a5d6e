/** Sends a request to the API, and reads its response if there is one. */
import type { ErrorBody, ErrorCode } from "../../../../lib/contract/responses/error-body.ts";
import { isWriteUnknown } from "../../api/error-codes.ts";
import { keyIssue } from "../../api/key-issue.ts";

/** API Gateway ends a request within 30 seconds, so no response comes later. */
const longestWaitMs = 35_000;

/** Why a request has no successful response, for the user in `error`. */
export type Failure =
  /** The page did not send the request. */
  | { kind: "invalid key" | "invalid request"; error: string }
  /** No response came, or none that the page can use: what the request did is unknown. */
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

export async function load<Body>(url: string, key: string, init: RequestInit = {}): Promise<Loaded<Body>> {
  const exchanged = await exchange(url, key, init);
  if (exchanged.kind !== "response") return exchanged;
  const { response, json } = exchanged;
  if (json === undefined) return toFailure(response, json);
  return { kind: "loaded", body: json as Body, etag: response.headers.get("etag") ?? "" };
}

/** `json` is undefined where the body is not JSON. */
export async function exchange(url: string, key: string, init: RequestInit): Promise<Exchanged> {
  const issue = keyIssue(key);
  if (issue) return { kind: "invalid key", error: issue };
  const headers = { ...init.headers, authorization: key };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), longestWaitMs);
  try {
    const response = await fetch(url, { ...init, headers, credentials: "omit", signal: timeout.signal });
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

/** Returns why a path of these names would lead elsewhere, or "": a browser resolves "." and ".." in a URL. */
export function pathIssue(names: readonly string[]): string {
  const name = names.find((each) => [".", ".."].includes(each));
  return name === undefined ? "" : `${name} is not a name: in a URL it means another path`;
}

export function toApiUrl(path: readonly string[], query: Record<string, string> = {}): string {
  const given = new URLSearchParams(query);
  const end = given.size === 0 ? "" : `?${given}`;
  return new URL(`api/admin/${path.map(encodeURIComponent).join("/")}${end}`, location.href).href;
}
