/** Expected responses by the contract, to compare a whole response with. */
import { expect } from "vitest";
import type { ValueIssue } from "../../lib/contract/json.ts";
import type { ErrorCode } from "../../lib/contract/responses/error-body.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { Response } from "./burgee.ts";

export const everyAnswer = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

interface Refusal {
  code?: ErrorCode;
  headers?: Record<string, string>;
  /** The expected message; any text if absent, as its wording is not part of the contract. */
  message?: unknown;
  /** The expected details; none if absent. */
  details?: unknown;
  /** Whether a change is stored, or may be: where an environment is patched, if absent. */
  mayBeStored?: boolean;
}

/** The id of a change is in each response after which the change is stored. */
const ofChange = { "burgee-change": expect.stringMatching(/^[\w-]{11}$/) };

const hasPatched = (details: unknown) =>
  Array.isArray(details) && details.some(({ outcome }) => /^(already )?patched$/.test(outcome));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function refused(
  status: number,
  name: string,
  { code, headers, message = expect.any(String), details, mayBeStored = hasPatched(details) }: Refusal = {},
): Response {
  return {
    status,
    headers: { ...everyAnswer, ...headers, ...(mayBeStored && ofChange) },
    json: {
      id: expect.stringMatching(uuid),
      name,
      ...(code && { code }),
      message,
      ...(details !== undefined && { details }),
    },
  };
}

export const invalid = (refusal?: Refusal) => refused(400, "ValidationError", refusal);
export const noAccess = (refusal?: Refusal) => refused(403, "NoAccessError", refusal);
export const notFound = (refusal?: Refusal) => refused(404, "NotFoundError", refusal);

export const unauthenticated = () =>
  refused(401, "AuthenticationRequired", { headers: { "www-authenticate": 'Bearer realm="burgee"' } });

/** The bodies of a 2xx. */
export const withTags = (tags: readonly Tag[]) => ({ version: 1, tags });
export const withVariants = (variants: unknown) => ({ version: 1, variants });
export const withVariantsByName = (variants: unknown) => ({ version: 1, by: "name", variants });

export function tagged(feature: string, tags: readonly Tag[]): Response {
  const location = `/api/admin/features/${encodeURIComponent(feature)}/tags`;
  return { status: 201, headers: { ...everyAnswer, etag, location }, json: withTags(tags) };
}

const etag = expect.stringMatching(/^"[\w-]{16}"$/);

const moves = { "burgee-moves": expect.any(String) };

interface Patched {
  /** The header with the outcome of each environment; one that was patched, if absent. */
  outcomes?: string | undefined;
  /** What the hint begins with; none is expected if absent. */
  hint?: string;
}

export function patchedTo(
  variants: readonly Variant[],
  { outcomes = expect.stringMatching(/=patched/), hint }: Patched = {},
): Response {
  const hintHeader = hint !== undefined && { "burgee-hint": expect.stringMatching(new RegExp(`^${hint}`)) };
  return {
    status: 200,
    headers: { ...everyAnswer, etag, "burgee-environments": outcomes, ...moves, ...ofChange, ...hintHeader },
    json: withVariants(variants),
  };
}

/** The response of a patch that changed nothing. */
export function unchanged(variants: readonly Variant[], ...environments: string[]): Response {
  const outcomes = environments.map((name) => `${name}=unchanged`).join(", ");
  const headers = {
    ...everyAnswer,
    etag,
    ...(outcomes !== "" && { "burgee-environments": outcomes, ...moves }),
  };
  return { status: 200, headers, json: withVariants(variants) };
}

/** Expects an issue at each of these JSON Pointers, in this order, and no other. */
export function issuesAt(...paths: string[]): unknown {
  return paths.map((path) => ({ path, message: expect.any(String) }));
}

/** Expects the same issue at each of these JSON Pointers. */
export function sameIssueAt(message: string, ...paths: string[]): ValueIssue[] {
  return paths.map((path) => ({ path, message }));
}

/** Expects a text that contains all of these words, none as the beginning of a longer one. */
export function naming(...words: string[]): unknown {
  const each = words.map((word) => `(?=[^]*${word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?!\\w))`);
  return expect.stringMatching(new RegExp(`^${each.join("")}`));
}

interface Failed {
  code?: ErrorCode;
  message: unknown;
  /** The issues of patched variants that are invalid. */
  issues?: unknown;
}

/** The details that have the outcome of each environment; one that failed is given by what it reports. */
export function detailsOf(outcomes: Readonly<Record<string, string | Failed>>): unknown[] {
  return Object.entries(outcomes).map(([environment, outcome]) =>
    typeof outcome === "string" ? { environment, outcome } : { environment, outcome: "failed", ...outcome },
  );
}

/** The details of a 403 that names each missing permission. */
export const missingDetails = (...messages: unknown[]) => messages.map((message) => ({ message }));
