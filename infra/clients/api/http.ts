/** Sends requests over HTTP, with an API key. After a lost response, a 5xx or a 429 it retries what is safe to retry. */
import { setTimeout } from "node:timers/promises";
import { type ApiError, TemporarilyUnavailable, ValidationError } from "../../../lib/contract/errors.ts";
import { type Api, type ApiRequest, type ApiResponse, isRead, isSafeToRetry } from "./api.ts";

interface Connection {
  /** The address of the API, without a slash at its end. */
  url: string;
  key: string;
  /** Is called once, before the first retry after a lost response, for which an attempt may have waited {@link timeoutMs}. */
  onFirstRetry?(why: string): void;
}

/** API Gateway ends a request after 30 seconds. */
const timeoutMs = 32_000;
const pausesMs = [500, 1500, 3000];

export function openHttpApi(connection: Connection): Api {
  let { onFirstRetry } = connection;
  return {
    async send(request) {
      for (const pauseMs of isSafeToRetry(request) ? pausesMs : []) {
        const result = await attempt(connection, request);
        if (!result.isTransient) return responseOf(result);
        if (result.error) {
          onFirstRetry?.(result.error.message);
          onFirstRetry = undefined;
        }
        await setTimeout(pauseMs);
      }
      return responseOf(await attempt(connection, request));
    },
  };
}

/** Transient: a retry may get another response. */
type AttemptResult = { isTransient: boolean } & (
  | { response: ApiResponse; error?: never }
  | { error: ApiError; response?: never }
);

function responseOf({ response, error }: AttemptResult): ApiResponse {
  if (response) return response;
  throw error;
}

/** After one of these errors, the request may have arrived. */
const lostCodes = /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT))$/;

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
      // The key goes to this address alone.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
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
    const { name, message, cause } = thrown as Error & { cause?: { message?: string; code?: string } };
    const isTimeout = name === "TimeoutError";
    const isLost = isTimeout || lostCodes.test(cause?.code ?? "");
    const why = cause?.message || cause?.code || message;
    const inWords = isTimeout ? ` within ${timeoutMs / 1000} seconds` : `: ${why}`;
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

/** Says why the request could not be sent: another attempt would fail in the same way. */
function whyUnreachable(url: string, code: string, why: string): string {
  if (why === "unexpected redirect")
    return `${url} redirects elsewhere; use the address of the service itself`;
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
