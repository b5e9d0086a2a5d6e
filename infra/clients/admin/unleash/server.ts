/** Calls an Unleash server. */
import * as z from "zod/mini";
import { summarise, validate } from "../../../../lib/contract/validate.ts";
import { parseJson } from "../../../cli/json-file.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { parseExport, type UnleashExport } from "./export.ts";

export interface UnleashServer {
  address: string;
  get<Value>(path: string, schema: z.ZodMiniType<Value>): Promise<Value>;
  /** Returns all features of a project in an environment, but not which are on, nor the order of their strategies. */
  export(project: string, environment: string): Promise<UnleashExport>;
  /** Throws an error that every other call would cause too. `effect`: what may have happened if there is no response. */
  write(call: Call & { effect: string }): Promise<Written>;
}

interface Written {
  status: number;
  text: string;
  /** What the response says, for people. */
  description: string;
}

interface Call {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: unknown;
}

const errorSchema = z.looseObject({
  message: z.string(),
  details: z.catch(z.array(z.looseObject({ message: z.string() })), []),
});

/** Too many requests, or a proxy without its server. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** An export of thousands of features takes a while. */
const timeoutMs = 60_000;

/** Unleash 6, 7 and 8 have both paths. The token is not an option, as other users of a machine can read a command line. */
export function openUnleash(address: string, token = process.env.UNLEASH_TOKEN?.trim() ?? ""): UnleashServer {
  if (token === "") throw new UsageError("UNLEASH_TOKEN is not set: it is the token that Unleash accepts");
  // The error of an HTTP library would quote it.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError("UNLEASH_TOKEN has characters that no token has");
  return {
    address,
    async get(path, schema) {
      const { value, issues } = validate(schema, await read({ method: "GET", path }));
      if (issues) throw new Refusal(`${address} is not an Unleash server: in ${path} ${summarise(issues)}`);
      return value;
    },
    async export(project, environment) {
      const path = "/api/admin/features-batch/export";
      const exported = await read({ method: "POST", path, body: { project, environment } });
      return parseExport(exported, `the response of ${address}`);
    },
    async write({ effect, ...call }) {
      const { status, text } = await send(call, effect);
      return { status, text, description: describe(status, text) };
    },
  };

  async function read(call: Call): Promise<unknown> {
    const { status, text } = await send(call);
    if (status === 200) return parseJson(text, `the response of ${address}`);
    const advice = status === 404 ? "; is this the address of Unleash, without /api?" : "";
    throw new Refusal(`${address} does not serve ${call.path} (${describe(status, text)})${advice}`);
  }

  /** Throws where the server does not respond, or would respond alike to every call. */
  async function send(call: Call, effect?: string): Promise<{ status: number; text: string }> {
    const { status, headers, text } = await request(call, effect);
    const location = headers.get("location");
    if (location !== null && status >= 300 && status < 400) {
      throw new Refusal(`${address} redirects to ${location}: give the address of Unleash itself`);
    }
    if (status === 401) throw new Refusal(`${address} does not accept the token in UNLEASH_TOKEN`);
    if (!passing.has(status)) return { status, text };
    const after = headers.get("retry-after");
    const wait = after === null ? "" : `; it asks to wait for ${after} seconds`;
    throw new Refusal(`${address} accepts no calls at the moment (${describe(status, text)})${wait}`);
  }

  /** Follows no redirect, which would take the token elsewhere. */
  async function request({ method, path, body }: Call, effect?: string) {
    const headers = { authorization: token, "content-type": "application/json" };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const options = { method, headers, redirect: "manual", ...(sent && { body: sent }) } as const;
    try {
      const response = await fetch(address + path, { ...options, signal: AbortSignal.timeout(timeoutMs) });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
      const why = name === "TimeoutError" ? `within ${timeoutMs / 1000} seconds` : `(${cause?.code ?? name})`;
      const unknown = effect === undefined ? "" : `; it is not known whether ${effect}`;
      throw new Refusal(`no response from ${address} ${why}: check the address and the network${unknown}`);
    }
  }

  /** What an error says, without the token, which a proxy may quote. */
  function describe(status: number, text: string): string {
    const said = messagesOf(text).join("; ").replaceAll(token, "...").slice(0, 500);
    return said === "" ? `status ${status}` : `status ${status}: ${said}`;
  }
}

export function pathOfProject(project: string): string {
  return `/api/admin/projects/${encodeURIComponent(project)}`;
}

/** The details repeat the message, or say more than it. */
function messagesOf(text: string): string[] {
  const { message, details = [] } = parseAs(errorSchema, text) ?? {};
  if (message === undefined) return [];
  return details.length > 0 ? details.map((one) => one.message) : [message];
}

export function parseAs<Value>(schema: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
