/** Speaks the API over HTTP, with an API key. A request that is safe to retry is retried where no response came. */
import { setTimeout } from "node:timers/promises";
import { TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import { type Api, type ApiRequest, type ApiResponse, isRead, isSafeToRetry } from "./api.ts";

interface Place {
  /** Without a slash at its end. */
  url: string;
  key: string;
}

/** API Gateway ends a request after 30 seconds. */
const timeoutMs = 32_000;
const pausesMs = [500, 1500, 3000];

export function openHttpApi(place: Place): Api {
  return {
    async send(request) {
      for (const pauseMs of isSafeToRetry(request) ? pausesMs : []) {
        const ended = await attempt(place, request);
        if (!ended.isTransient) return outcomeOf(ended);
        await setTimeout(pauseMs);
      }
      return outcomeOf(await attempt(place, request));
    },
  };
}

/** Transient: a retry may get another response. */
type Ended = { isTransient: boolean } & (
  | { response: ApiResponse; error?: never }
  | { error: TemporarilyUnavailable; response?: never }
);

function outcomeOf({ response, error }: Ended): ApiResponse {
  if (response) return response;
  throw error;
}

/** The request may have arrived. */
const lostCodes = /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT))$/;

async function attempt({ url, key }: Place, request: ApiRequest): Promise<Ended> {
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
    return {
      isTransient,
      response: { status, headers: Object.fromEntries(response.headers), body: parse(text) },
    };
  } catch (thrown) {
    const { name, message, cause } = thrown as Error & { cause?: { message?: string; code?: string } };
    const isLost = name === "TimeoutError" || lostCodes.test(cause?.code ?? "");
    const why = cause?.message || cause?.code || message;
    const error = isLost
      ? new TemporarilyUnavailable(`No response from ${url}: ${why}`, { mayBeStored: !isRead(request) })
      : new TemporarilyUnavailable(unreachable(url, cause?.code ?? "", why), { cause });
    return { isTransient: isLost, error };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
};

/** The request was not sent, and another attempt would fail in the same way. */
function unreachable(url: string, code: string, why: string): string {
  if (why === "unexpected redirect")
    return `${url} redirects elsewhere; use the address of the service itself`;
  return `No response from ${url} (${reasons[code] ?? why}); check the address, and that the server runs`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
