/** Makes the patch and the reason of a promotion, for the commands and the page /patch. */
import { reasonIssue } from "../../../lib/contract/reason.ts";

interface Operation {
  op: string;
  path: string;
  value?: unknown;
}

/** Makes the operations that give an environment these aspects of another one. Both are in the form of a patch. */
export function promotionPatch<Aspect extends string>(
  aspects: readonly Aspect[],
  source: { readonly [A in Aspect]?: unknown },
  target: { readonly [A in Aspect]?: unknown },
): Operation[] {
  return aspects.flatMap((aspect) => {
    const path = `/${aspect}`;
    const [value, replaced] = [source[aspect], target[aspect]];
    if (value === undefined) return replaced === undefined ? [] : [{ op: "remove", path }];
    return [{ op: replaced === undefined ? "add" : "replace", path, value }];
  });
}

/** The reason says where the content is from, as the stored difference does not. Undefined if the name cannot be in a reason. */
export function promotionReason(from: string): string | undefined {
  const reason = `promoted from ${from}`;
  return reasonIssue(reason) === undefined ? reason : undefined;
}
