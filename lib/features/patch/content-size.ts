/** Limits the size of the content of an environment. */
import { isDeepStrictEqual } from "node:util";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { type EnvironmentContent, emptyContent, parseTargeting } from "../model.ts";
import { storedBytes } from "../stored-bytes.ts";

/** The aspects that count. The switch does not: it takes a byte. */
type Sized = Omit<EnvironmentContent, "enabled">;

/** The content as JSON: targeting is stored as its text. */
const toJson: { readonly [A in keyof Sized]: (value: Sized[A]) => unknown } = {
  variants: (variants) => variants,
  strategies: (strategies) => strategies,
  dependencies: (dependencies) => dependencies,
  targeting: parseTargeting,
};

const sizedAspects = Object.keys(toJson) as (keyof Sized)[];

export function requireRoom(content: Sized): void {
  const issue = roomIssue(content);
  if (issue === undefined) return;
  const what = new Intl.ListFormat("en-GB").format(presentAspects(content));
  throw new ValidationError(`The ${what} of an environment ${issue}`);
}

function presentAspects(content: Sized): (keyof Sized)[] {
  return sizedAspects.filter((aspect) => !isDeepStrictEqual(content[aspect], emptyContent[aspect]));
}

export function strategiesIssue(count: number): string | undefined {
  return count > limits.strategies ? `must have at most ${limits.strategies} strategies` : undefined;
}

/**
 * Returns why the content has no room. The limit is less than half of an item, so that what the last change replaced has
 * room beside the content.
 */
export function roomIssue(given: Partial<Sized>): string | undefined {
  const content = { ...emptyContent, ...given };
  const present = presentAspects(content);
  const bytes = present.reduce((sum, aspect) => sum + storedBytes(content[aspect]), 0);
  if (bytes > limits.contentBytes) return `would take more than ${limits.contentBytes / 1024} KiB`;
  // An environment beyond this bound could never be patched again, as a patched tree has the same bound.
  if (findExcess(present.flatMap((aspect) => jsonOf(aspect, content)))) {
    return `would have more than ${limits.jsonValues.toLocaleString("en")} list elements and members`;
  }
  return undefined;
}

const jsonOf = <A extends keyof Sized>(aspect: A, content: Sized): unknown => toJson[aspect](content[aspect]);
