/** Sends a patch, a switch or an undo, or its dry run. */
import type * as z from "zod/mini";
import type { Detail, ErrorBody } from "../../lib/contract/error-body.ts";
import type {
  featureVariantsByNameSchema,
  featureVariantsSchema,
  switchedFeatureSchema,
} from "../../lib/contract/responses.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { exchange } from "./exchange.ts";
import { jsonError } from "./patch.ts";
import { bodyOf, headersOf, isPatch, methodOf, otherPath, type PatchRequest, urlOf } from "./request.ts";

export interface EnvironmentOutcome {
  environment: string;
  outcome: "will be patched" | NonNullable<Detail["outcome"]>;
  variants: Variant[];
  /** Whether the feature is on; in a plan, where the request switches it. */
  enabled?: boolean | undefined;
  message?: string;
  hint?: string;
}

export type Reply = Awaited<ReturnType<typeof send>>;

type DryRun =
  | z.infer<typeof featureVariantsSchema>
  | z.infer<typeof featureVariantsByNameSchema>
  | z.infer<typeof switchedFeatureSchema>;

/** `error` is why the request failed, or empty; where the page cannot know whether it did, the status is 0. */
export async function send(request: PatchRequest, mode: "dry run" | "write") {
  const url = urlOf(request, mode === "dry run" ? { dryRun: "true" } : {});
  const headers = { authorization: request.key, ...headersOf(request) };
  const init: RequestInit = { method: methodOf(request), headers, redirect: "error" };
  // The server would not say where the text stops being JSON.
  const invalid = otherPath(request) || (isPatch(request) ? jsonError(request.text) : "");
  const answer = invalid ? undefined : await exchange(url, { ...init, body: bodyOf(request) });
  const { response, json } = answer ?? {};
  const body: Partial<Omit<DryRun, "environments"> & ErrorBody> & { environments?: Shown[] } = Object(json);
  const { environments = [], details = [], missingPermissions = [] } = body;
  const { message = `HTTP status ${response?.status}` } = body;
  const etag = response?.headers.get("etag") ?? "";
  const change = response?.headers.get("burgee-change") ?? "";
  const hint = response?.headers.get("burgee-hint") ?? "";
  const lost = `No response from ${location.origin}`;
  // Apply would have no precondition.
  const unsafe = "This page could not see changes since its preview: the response has no ETag";
  const refused =
    response?.status === 412 ? "Another request has changed the variants since this preview." : message;
  const error = invalid || (!response ? lost : !response.ok ? refused : etag === "" ? unsafe : "");
  // What was not sent has no response, but its outcome is known.
  const status = invalid ? 400 : response && error !== unsafe ? response.status : 0;
  const planned = toEnvironments(environments, request);
  return { status, error, details, etag, change, hint, missingPermissions, environments: planned };
}

export function named<Type extends { environment?: string }>(environments: readonly Type[], name: string) {
  return environments.find(({ environment }) => environment === name);
}

type Shown = Omit<Partial<EnvironmentOutcome>, "variants" | "environment" | "outcome"> & {
  environment: string;
  outcome?: Detail["outcome"];
  variants?: Variant[] | Record<string, Omit<Variant, "name">>;
};

/**
 * A patch stops at the first failure; an undo with one does nothing. An environment without changes was patched by an
 * earlier attempt.
 */
function toEnvironments(previews: readonly Shown[], { change }: PatchRequest): EnvironmentOutcome[] {
  const stop = previews.findIndex(({ outcome }) => outcome === "failed");
  return previews.map(({ variants = [], outcome = "unchanged", ...others }, index) => {
    const isPending = outcome === "would patch";
    const planned = isPending ? "will be patched" : outcome;
    const isStopped = stop !== -1 && (change ? planned === "will be patched" : index > stop);
    return {
      ...others,
      outcome: isStopped ? "not attempted" : planned,
      variants: Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
    };
  });
}
