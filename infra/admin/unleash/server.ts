/** Calls an Unleash server: reads its features by an export, overwrites the variants of one in an environment, and switches it. */
import * as z from "zod/mini";
import type { Variant } from "../../../lib/contract/variants.ts";
import { parseJson } from "../../cli/json-file.ts";
import { Refusal, UsageError } from "../../cli/refusal.ts";
import { parseExport, type UnleashExport } from "./read-export.ts";

export interface UnleashServer {
  /** The variants of all features of a project in an environment. */
  export(project: string, environment: string): Promise<UnleashExport>;
  /** Returns why the server refuses these variants. Throws what another feature's would meet too. */
  putVariants(place: Place, variants: readonly Variant[]): Promise<string | undefined>;
  /** The same for on and off. */
  switch(place: Place, enabled: boolean): Promise<string | undefined>;
}

interface Place {
  project: string;
  feature: string;
  environment: string;
}

interface Call {
  method: "POST" | "PUT";
  path: string;
  body: unknown;
  /** What may have happened although there is no response. */
  effect?: string;
}

const errorSchema = z.looseObject({
  message: z.string(),
  details: z.catch(z.array(z.looseObject({ message: z.string() })), []),
});

const storedSchema = z.looseObject({ variants: z.array(z.looseObject({ name: z.string() })) });

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
    async export(project, environment) {
      const path = "/api/admin/features-batch/export";
      const { status, text } = await send({ method: "POST", path, body: { project, environment } });
      const source = `the response of ${address}`;
      if (status === 200) return parseExport(parseJson(text, source), source);
      const advice = status === 404 ? "; is this the address of Unleash, without /api?" : "";
      throw new Refusal(`${address} exports no features (${describe(status, text)})${advice}`);
    },
    async putVariants({ project, feature, environment }, variants) {
      const path = `${pathOf({ project, feature, environment })}/variants`;
      const effect = "the variants were stored";
      const { status, text } = await send({ method: "PUT", path, body: variants, effect });
      if (status !== 200) return explainRefusal(status, describe(status, text));
      return hasStored(variants, text) ? undefined : "status 200, but not with the variants that were sent";
    },
    async switch(place, enabled) {
      const path = `${pathOf(place)}/${enabled ? "on" : "off"}`;
      const { status, text } = await send({ method: "POST", path, body: {}, effect: "it was switched" });
      return status === 200 ? undefined : explainRefusal(status, describe(status, text));
    },
  };

  /** Throws where the server does not respond, or would respond alike to every call. */
  async function send(call: Call): Promise<{ status: number; text: string }> {
    const { status, headers, text } = await request(call);
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
  async function request({ method, path, body, effect }: Call) {
    const headers = { authorization: token, "content-type": "application/json" };
    const options = { method, headers, body: JSON.stringify(body), redirect: "manual" } as const;
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

function pathOf({ project, feature, environment }: Place): string {
  const names = [project, "features", feature, "environments", environment].map(encodeURIComponent);
  return `/api/admin/projects/${names.join("/")}`;
}

/** Unleash responds with what it has stored; a proxy in front of it may respond with a page. */
function hasStored(variants: readonly Variant[], text: string): boolean {
  const stored = parseAs(storedSchema, text)?.variants.map(({ name }) => name);
  return stored?.length === variants.length && variants.every(({ name }) => stored.includes(name));
}

/** The details repeat the message, or say more than it. */
function messagesOf(text: string): string[] {
  const { message, details = [] } = parseAs(errorSchema, text) ?? {};
  if (message === undefined) return [];
  return details.length > 0 ? details.map((one) => one.message) : [message];
}

function parseAs<Value>(schema: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function explainRefusal(status: number, description: string): string {
  if (status === 423 || description.includes("SKIP_CHANGE_REQUEST")) {
    return "change requests protect the environment: make one in Unleash, or use a token with SKIP_CHANGE_REQUEST";
  }
  if (description.includes("Environment variants deprecated")) {
    return "Unleash accepts a feature's first variants only with UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS=true";
  }
  return description;
}
