/** Sends the requests of the page, and words them for curl. */
import type * as z from "zod/mini";
import type { Detail, ErrorBody } from "../../lib/contract/error-body.ts";
import type { PatchOperation } from "../../lib/contract/patch.ts";
import type { variantsPreviewSchema } from "../../lib/contract/preview.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { printable } from "../printable.ts";

type Preview = z.infer<typeof variantsPreviewSchema>;
export type Environment = Preview["environments"][number];
export type Outcome = NonNullable<Detail["outcome"]>;

export interface Subject {
  base: string;
  key: string;
  project: string;
  feature: string;
}

export interface PatchRequest extends Subject {
  /** "" is every environment. */
  environment: string;
  form: VariantForm;
  patch: readonly PatchOperation[];
  etag?: string;
  idempotencyKey?: string;
}

export interface Answer {
  etag: string;
  environments: Environment[];
}

/** An error of the API, or with status 0 a request without a response. */
export class Problem extends Error {
  readonly status: number;
  readonly details: readonly Detail[];

  constructor(status: number, message: string, details: readonly Detail[] = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

type Mode = "dry run" | "write";

export async function send(request: PatchRequest, mode: Mode, signal?: AbortSignal): Promise<Answer> {
  const { base, patch, key } = request;
  let response: Response;
  try {
    response = await fetch(urlOf(request, mode), {
      method: "PATCH",
      headers: { authorization: key, ...headersOf(request) },
      body: JSON.stringify(patch),
      credentials: "omit",
      redirect: "error",
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Problem(0, `No response from ${base}: out of reach, or CORS does not allow ${location.origin}`);
  }
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { message = `HTTP status ${response.status}`, details }: Partial<ErrorBody> = Object(body);
    throw new Problem(response.status, String(message), Array.isArray(details) ? details : []);
  }
  const etag = response.headers.get("etag") ?? "";
  // Without it, Apply would have no precondition.
  if (etag === "")
    throw new Problem(0, "The response has no ETag that this page may read: CORS must expose it");
  const { environments = [] }: Partial<Preview> = Object(body);
  return {
    etag,
    environments: environments.map((each) => ({ ...each, variants: toList(each.variants) })),
  };
}

/** For a POSIX shell; the key stays out of it. */
export function toCurl(request: PatchRequest, mode: Mode): string {
  const headers = Object.entries(headersOf(request)).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  const body = printable(JSON.stringify(request.patch));
  const parts = [
    quote(urlOf(request, mode)),
    '-H "Authorization: $BURGEE_KEY"',
    ...headers,
    `-d ${quote(body)}`,
  ];
  return `curl -X PATCH ${parts.join(" \\\n  ")}`;
}

function urlOf({ base, project, feature, environment, form }: PatchRequest, mode: Mode): string {
  const place = environment === "" ? [] : ["environments", environment];
  const path = ["projects", project, "features", feature, ...place, "variants"].map(encodeURIComponent);
  const query = [mode === "dry run" ? ["dryRun=true"] : [], form === "name" ? ["by=name"] : []]
    .flat()
    .join("&");
  return `${base.replace(/\/+$/, "")}/api/admin/${path.join("/")}${query && `?${query}`}`;
}

function headersOf({ etag, idempotencyKey }: PatchRequest): Record<string, string> {
  return {
    "content-type": "application/json",
    ...(etag && { "if-match": etag }),
    ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
  };
}

function toList(variants: Variant[] | Record<string, Variant>): Variant[] {
  return Array.isArray(variants)
    ? variants
    : Object.entries(variants).map(([name, variant]) => ({ ...variant, name }));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
