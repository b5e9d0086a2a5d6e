/** Sends a patch or its dry run, and writes it as a curl command. */
import type * as z from "zod/mini";
import type { Detail, ErrorBody } from "../../lib/contract/error-body.ts";
import type { previewByNameSchema, previewSchema } from "../../lib/contract/preview.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { printableLines } from "../printable.ts";

export interface PatchRequest {
  address: string;
  key: string;
  project: string;
  feature: string;
  /** "" is every environment. */
  environment: string;
  form: VariantForm;
  text: string;
  idempotencyKey: string;
  etag: string;
}

export interface Environment {
  environment: string;
  outcome: "will be patched" | NonNullable<Detail["outcome"]>;
  variants: Variant[];
  message?: string;
}

/** `error` is why the request failed, or empty; without a response that the page may read, the status is 0. */
export interface Reply {
  status: number;
  error: string;
  details: Detail[];
  etag: string;
  environments: Environment[];
}

type Preview = z.infer<typeof previewSchema> | z.infer<typeof previewByNameSchema>;

export async function send(request: PatchRequest, mode: "dry run" | "write"): Promise<Reply> {
  const failure = { status: 0, details: [], etag: "", environments: [] };
  const url = urlOf(request) + (mode === "dry run" ? "&dryRun=true" : "");
  const init: RequestInit = { method: "PATCH", body: request.text, credentials: "omit", redirect: "error" };
  const headers = { authorization: request.key, ...headersOf(request) };
  const response = await fetch(url, { ...init, headers }).catch(() => undefined);
  if (!response) {
    const causes = `out of reach, or CORS does not allow ${location.origin}`;
    return { ...failure, error: `No response from ${request.address}: ${causes}` };
  }
  const { status, ok } = response;
  const body: Partial<Preview & ErrorBody> = Object(await response.json().catch(() => undefined));
  const { environments = [], message = `HTTP status ${status}`, details = [] } = body;
  if (!ok) return { ...failure, status, error: message, details };
  const etag = response.headers.get("etag");
  // Without it, Apply would have no precondition.
  if (!etag)
    return { ...failure, error: "The response has no ETag that this page may read: CORS must expose it" };
  return { ...failure, status, error: "", etag, environments: toEnvironments(environments) };
}

/** For a POSIX shell; the key stays out of it. */
export function toCurl(request: PatchRequest): string {
  const headers = Object.entries(headersOf(request)).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  const url = quote(urlOf(request));
  const body = quote(printableLines(request.text));
  return [`curl -X PATCH ${url}`, '-H "Authorization: $BURGEE_KEY"', ...headers, `-d ${body}`].join(
    " \\\n  ",
  );
}

function urlOf({ address, project, feature, environment, form }: PatchRequest): string {
  const scope = environment === "" ? [] : ["environments", environment];
  const path = ["projects", project, "features", feature, ...scope, "variants"].map(encodeURIComponent);
  return `${address.replace(/\/+$/, "")}/api/admin/${path.join("/")}?by=${form}`;
}

function headersOf({ etag, idempotencyKey }: PatchRequest) {
  return { "content-type": "application/json", "if-match": etag, "idempotency-key": idempotencyKey };
}

/** A patch stops at the first failure. An environment without changes was patched by an earlier attempt. */
function toEnvironments(previews: Preview["environments"]): Environment[] {
  const stop = previews.findIndex(({ outcome }) => outcome === "failed");
  return previews.map(({ variants, outcome, changes = [], ...others }, index) => {
    const planned = outcome === "patched" && changes.length > 0 ? "will be patched" : outcome;
    return {
      ...others,
      outcome: stop !== -1 && index > stop ? "not attempted" : planned,
      variants: Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
    };
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
