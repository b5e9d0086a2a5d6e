/** Sends a patch or its dry run, and writes it as a curl command. */
import type * as z from "zod/mini";
import type { Detail, ErrorBody } from "../../lib/contract/error-body.ts";
import type { variantsPreviewByNameSchema, variantsPreviewSchema } from "../../lib/contract/preview.ts";
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

type Preview = z.infer<typeof variantsPreviewSchema> | z.infer<typeof variantsPreviewByNameSchema>;

export async function send(request: PatchRequest, mode: "dry run" | "write"): Promise<Reply> {
  const url = urlOf(request) + (mode === "dry run" ? "&dryRun=true" : "");
  const headers = { authorization: request.key, ...headersOf(request) };
  const init: RequestInit = { method: "PATCH", headers, credentials: "omit", redirect: "error" };
  const response = await fetch(url, { ...init, body: request.text }).catch(() => undefined);
  const body: Partial<Preview & ErrorBody> = Object(await response?.json().catch(() => undefined));
  const { environments = [], details = [], message = `HTTP status ${response?.status}` } = body;
  const etag = response?.headers.get("etag") ?? "";
  const lost = `No response from ${request.address}: out of reach, or CORS does not allow ${location.origin}`;
  // Without an ETag, Apply would have no precondition.
  const unsafe = "The response has no ETag that this page may read: CORS must expose it";
  const error = !response ? lost : !response.ok ? message : etag === "" ? unsafe : "";
  const status = response && error !== unsafe ? response.status : 0;
  return { status, error, details, etag, environments: toEnvironments(environments) };
}

/** For a POSIX shell; the key stays out of it. */
export function toCurl(request: PatchRequest): string {
  const headers = Object.entries(headersOf(request)).map((header) => `-H ${quote(header.join(": "))}`);
  const start = [`curl -X PATCH ${quote(urlOf(request))}`, '-H "Authorization: $BURGEE_KEY"'];
  return [...start, ...headers, `-d ${quote(printableLines(request.text))}`].join(" \\\n  ");
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
