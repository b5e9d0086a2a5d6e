/** Sends requests over HTTP, with an API key. After a lost response, a 5xx or a 429 it retries what is safe to retry. */
import { setTimeout } from "node:timers/promises";
import { type ApiError, TemporarilyUnavailable, ValidationError } from "../../../lib/contract/errors.ts";
import { type Api, type ApiRequest, type ApiResponse, isRead, isSafeToRetry } from "./api.ts";
import { responseTimeoutMs } from "./response-timeout.ts";

interface Connection {
  /** The address of the API, without a slash at its end. */
  url: string;
  key: string;
  /** Called once per connection, before the first retry after a lost response: the attempt may have waited {@link responseTimeoutMs}. */
  onLostResponse?(why: string): void;
}

/** The least pauses before the first, the second and the third retry. A `Retry-After` asks for longer ones. */
const pausesMs = [1000, 2000, 4000];
/** The longest pause before a retry. If a response asks for a longer one, the user should see that instead of waiting. */
const longestPauseMs = 30_000;

export function openHttpApi(connection: Connection): Api {
  let { onLostResponse } = connection;
  return {
    async send(request) {
      for (const leastMs of isSafeToRetry(request) ? pausesMs : []) {
        const result = await attempt(connection, request);
        const wantedMs = Math.max(leastMs, pauseWantedBy(result));
        if (!result.isTransient || wantedMs > longestPauseMs) return responseOf(result);
        if (result.error) {
          onLostResponse?.(result.error.message);
          onLostResponse = undefined;
        }
        await setTimeout(wantedMs);
      }
      return responseOf(await attempt(connection, request));
    },
  };
}

/** The response or the error of an attempt. After a transient one, a retry may get another response. */
type AttemptResult = { isTransient: boolean } & (
  | { response: ApiResponse; error?: never }
  | { error: ApiError; response?: never }
);

function responseOf({ response, error }: AttemptResult): ApiResponse {
  if (response) return response;
  throw error;
}

/** Reads the seconds of `Retry-After`. A date, which neither Burgee nor API Gateway sends, asks for no pause. */
function pauseWantedBy({ response }: AttemptResult): number {
  const { "retry-after": seconds = "" } = response?.headers ?? {};
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0;
}

interface NetworkError {
  message?: string;
  code?: string;
  syscall?: string;
  /** The error of each address of the host, if it has several. */
  errors?: NetworkError[];
}

/** The codes of errors before a connection, and of a server whose certificate was refused. */
const unsentCodes =
  /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_WRONG_VERSION_NUMBER|CERT_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/;
const redirected = "unexpected redirect";

/** Whether the request certainly did not reach the API. After any other error its write may be stored. */
function neverArrived({ message = "", code = "", syscall = "", errors }: NetworkError): boolean {
  return (
    unsentCodes.test(code) ||
    ["connect", "getaddrinfo"].includes(errors?.[0]?.syscall ?? syscall) ||
    ["bad port", redirected].includes(message)
  );
}

async function attempt({ url, key }: Connection, request: ApiRequest): Promise<AttemptResult> {
  const { method, path, headers, body } = request;
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        authorization: key,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would take the key to another address.
      redirect: "error",
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const { status } = response;
    const text = await response.text();
    const isTransient = status >= 500 || status === 429;
    const parsed = parseIfJson(text);
    if (status < 400 && parsed === undefined) return { isTransient, error: notJson(url, request) };
    return {
      isTransient,
      response: {
        status,
        headers: Object.fromEntries(response.headers),
        body: parsed === undefined ? text : parsed,
      },
    };
  } catch (thrown) {
    const { name, message, cause } = thrown as Error & { cause?: NetworkError };
    const isTimeout = name === "TimeoutError";
    const isLost = !neverArrived(cause ?? {});
    const why = cause?.message || cause?.code || message;
    const inWords = isTimeout ? ` within ${responseTimeoutMs / 1000} seconds` : `: ${why}`;
    const error = isLost
      ? new TemporarilyUnavailable(`No response from ${url}${inWords}`, {
          code: isRead(request) ? undefined : "outcome-unknown",
        })
      : new TemporarilyUnavailable(whyUnreachable(url, cause?.code ?? "", why), { cause });
    return { isTransient: isLost, error };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
};

/** Says why the request did not arrive. It is not retried: usually the address is wrong, and the user should see it at once. */
function whyUnreachable(url: string, code: string, why: string): string {
  if (why === redirected) return `${url} redirects elsewhere; use the address of the service itself`;
  return `No response from ${url} (${reasons[code] ?? why}); check the address, and that the server runs`;
}

/** Every success of the API has a body of JSON, so another server has responded. */
function notJson(url: string, { method, path }: ApiRequest): ValidationError {
  return new ValidationError(`The response of ${url} to ${method} ${path} is not JSON; check the address`);
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
