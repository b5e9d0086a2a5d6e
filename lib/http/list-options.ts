/** The options of a list of features. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

/** The OpenAPI document quotes the comments. */
export interface ListOptions {
  /**
   * The most features in a page, up to {@link limits.listedFeatures}, or {@link limits.listedWithEnvironments} with their
   * environments.
   */
  limit: number;
  /** The name of a feature: the page begins after it. */
  after: string | undefined;
  /** With `environments`, each feature has its variants in each of its environments, and whether it is on there. */
  with: "environments" | undefined;
}

export function parseListOptions({
  limit,
  after,
  with: content,
}: Readonly<Record<string, string>>): ListOptions {
  if (content !== undefined && content !== "environments") {
    throw new ValidationError("with must be environments");
  }
  const most = content === undefined ? limits.listedFeatures : limits.listedWithEnvironments;
  return { limit: readLimit(limit, most), after: readAfter(after), with: content };
}

function readLimit(limit = "100", most: number): number {
  if (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= most) return Number(limit);
  throw new ValidationError(`limit must be a whole number from 1 to ${most}`);
}

function readAfter(after = ""): string | undefined {
  if (!after.isWellFormed() || Buffer.byteLength(after) > limits.nameBytes) {
    throw new ValidationError("after must be the name of a feature");
  }
  return after === "" ? undefined : after;
}
