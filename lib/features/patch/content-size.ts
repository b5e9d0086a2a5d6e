/** How much an environment may have. */
import { isDeepStrictEqual } from "node:util";
import { ValidationError } from "../../contract/errors.ts";
import { findExcess } from "../../contract/json-bounds.ts";
import { limits } from "../../contract/limits.ts";
import { aspects, type EnvironmentContent, newContent } from "../model.ts";
import { storedBytes } from "../stored-bytes.ts";

type Sized = Omit<EnvironmentContent, "enabled">;

export function requireRoom(content: Sized): void {
  const issue = roomIssue(content);
  const isMore = sizedAspects.some((aspect) => aspect !== "variants" && !isNone(aspect, content));
  const what = isMore ? ", its strategies, dependencies and targeting" : "";
  if (issue !== undefined) throw new ValidationError(`The variants of an environment${what} ${issue}`);
}

/** Without the switch, which takes a byte. */
const sizedAspects = aspects.filter((aspect) => aspect !== "enabled");

function isNone(aspect: keyof Sized, content: Sized): boolean {
  return isDeepStrictEqual(content[aspect], newContent[aspect]);
}

export function strategiesIssue(count: number): string | undefined {
  return count > limits.strategies ? `must have at most ${limits.strategies} strategies` : undefined;
}

/** A change is stored with what was before it: twice the limit fits in an item. What is not given takes none. */
export function roomIssue(given: Partial<Sized>): string | undefined {
  const content = { ...newContent, ...given };
  const present = sizedAspects.filter((aspect) => !isNone(aspect, content));
  const bytes = present.reduce((sum, aspect) => sum + storedBytes(content[aspect]), 0);
  if (bytes > limits.contentBytes) return `would take more than ${limits.contentBytes / 1024} KiB`;
  // An environment beyond this bound could never be patched again, as what is patched has the same bound.
  const all = present.flatMap((aspect) =>
    aspect === "targeting" ? JSON.parse(content.targeting ?? "null") : content[aspect],
  );
  if (findExcess(all)) {
    return `would have more than ${limits.values.toLocaleString("en")} list elements and members`;
  }
  return undefined;
}
