/** ETags (RFC 9110 section 8.8.3) of variants, and how a precondition compares with them. */
import { createHash } from "node:crypto";
import type { EnvironmentState } from "./feature.ts";

/** The entity tags of `If-Match`, without their quotes; "*" matches any. */
export type Precondition = "*" | readonly string[];

interface EnvironmentEtag {
  environment: string;
  etag: string;
}

export function environmentEtag({ uid, revision }: Pick<EnvironmentState, "uid" | "revision">): string {
  return fingerprint([uid, revision]);
}

/** Changes as soon as any of the environments does. */
export function combinedEtag(environments: readonly EnvironmentEtag[]): string {
  return fingerprint(environments.map(({ environment, etag }) => [environment, etag]));
}

export function featureEtag(states: readonly EnvironmentState[]): string {
  return combinedEtag(states.map((state) => ({ ...state, etag: environmentEtag(state) })));
}

export function matches(precondition: Precondition, etag: string): boolean {
  return precondition === "*" || precondition.includes(etag);
}

/** A short text that is the same for equal values, and differs for others: 96 bits by default. */
export function fingerprint(value: unknown, bytes = 12): string {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, bytes).toString("base64url");
}
