/** Sends a request and reads its response, if there is one. */
import type { ErrorBody } from "../../lib/contract/error-body.ts";
import { keyIssue } from "../client/key-issue.ts";

/** API Gateway ends a request within 30 seconds, so no response comes later. */
const longestWait = 35_000;

export interface Loaded<Body> {
  json: Body | undefined;
  /** Why it is not there, or empty. */
  error: string;
  status: number;
}

export async function load<Body>(url: string, key: string, init: RequestInit = {}): Promise<Loaded<Body>> {
  const issue = keyIssue(key);
  if (issue) return { json: undefined, error: issue, status: 401 };
  const { response, json } = await exchange(url, {
    ...init,
    headers: { ...init.headers, authorization: key },
  });
  if (!response) return { json: undefined, error: `No response from ${location.origin}`, status: 0 };
  if (response.ok && json !== undefined) return { json: json as Body, error: "", status: response.status };
  const { message = `HTTP status ${response.status}` }: Partial<ErrorBody> = Object(json);
  return { json: undefined, error: message, status: response.status };
}

/** There is no response where the server does not answer in time, and no JSON where the body is none. */
export async function exchange(
  url: string,
  init: RequestInit,
): Promise<{ response?: Response; json?: unknown }> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), longestWait);
  try {
    const response = await fetch(url, { ...init, credentials: "omit", signal: timeout.signal });
    return { response, json: await response.json().catch(() => undefined) };
  } catch {
    return {};
  } finally {
    clearTimeout(timer);
  }
}

/** A browser resolves "." and ".." in a URL: as an environment, ".." would mean all. */
export function otherPath(names: readonly string[]): string {
  const name = names.find((each) => [".", ".."].includes(each));
  return name === undefined ? "" : `${name} is not a name: in a URL it means another path`;
}

export function toApiUrl(path: readonly string[], query: Record<string, string> = {}): string {
  const given = new URLSearchParams(query);
  const end = given.size === 0 ? "" : `?${given}`;
  return new URL(`api/admin/${path.map(encodeURIComponent).join("/")}${end}`, location.href).href;
}
