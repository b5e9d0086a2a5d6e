/** Suggests the name of a member that is there, where a patch names one that is not. */
import { parsePointer } from "../../../../lib/contract/json.ts";
import type { Aspect } from "../../../../lib/features/model.ts";
import { strategiesById } from "../../../../lib/features/patch/strategies-by-id.ts";
import { variantsByName } from "../../../../lib/features/patch/variant-list.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import type { FoundEnvironment } from "../api/find.ts";

/** Returns an aspect in the form of a patch: variants by name, strategies by id. */
export function toMember(part: Aspect, { variants, strategies, ...rest }: FoundEnvironment): unknown {
  if (part === "variants") return variantsByName(variants);
  return part === "strategies" ? strategiesById(strategies) : rest[part];
}

/** Adds a suggestion to the message of a failed patch. The service compares no names, as that could take long. */
export function suggestMember(
  message: string,
  patch: unknown,
  environments: readonly FoundEnvironment[],
): string {
  return message.replace(/there is no member "([^"]+)"/, (text, member) => {
    const known = environments.flatMap((one) => {
      const { environment: _, etag: __, guard: ___, ...rest } = one;
      const tree = {
        ...rest,
        variants: toMember("variants", one),
        strategies: toMember("strategies", one),
      };
      return pointersOf(patch).flatMap((pointer) => membersBeside(member, tree, parsePointer(pointer)));
    });
    return text + didYouMean(member, known);
  });
}

function pointersOf(patch: unknown): string[] {
  const operations = Array.isArray(patch) ? patch : [];
  const all: unknown[] = operations.flatMap((one) => [Object(one).path, Object(one).from]);
  return all.filter((one) => typeof one === "string");
}

/** Returns the members of the object in which the path ends, if it ends because this member is missing. */
function membersBeside(member: string, tree: unknown, [token, ...rest]: readonly string[]): string[] {
  if (token === undefined || typeof tree !== "object" || tree === null) return [];
  const found = Object.entries(tree).find(([name]) => name === token);
  if (found) return membersBeside(member, found[1], rest);
  return token === member ? Object.keys(tree) : [];
}
