/** What both patches have in common, in words. */
import { limits } from "../../../lib/contract/limits.ts";
import { weightTotal } from "../../../lib/contract/variants.ts";

export const result = `Afterwards each list is checked as a whole: at least one variant is \`variable\`, and the weights are dealt so that they sum to ${weightTotal}. It is sorted by name, and an index in a later patch is an index into that order. An environment that the patch leaves as it was is not written.`;

export const sizes = `A patch takes ${limits.operations} operations, which may add, copy, move and replace ${limits.patchBytes / 1024 / 1024} MB in all. All variants of an environment must fit in ${limits.itemBytes / 1024} KB.`;

export const dryRun =
  "**Dry run.** With `dryRun=true` the whole request is judged as for real, permissions included, and nothing is written. The answer is 200 and has what would be: the usual members, and a list of `environments` that does not end at the first failure. An empty patch shows them as they are. The `etag` is that of what is stored: sent as `if-match`, it holds the patch itself to the same.";

/** Of which tag this is, the operation says first. */
export const precondition =
  "If it is not the current one, the answer is 412 and nothing is written. `*` is met by whatever is there. With `if-match`, a patch is never tried again on what others changed meanwhile.";

export const repeats = `**Repeats.** After a failure midway, a timeout or a lost connection, send the same request with the same \`Idempotency-Key\` again until it is done. An environment that has that key's write already is skipped, any other is patched, and the answer is as if all had been done now. Each environment remembers its last ${limits.rememberedWrites} writes that came with a key. One that the patch left unchanged was not written, and remembers nothing. A key counts for the API key's name: others may choose the same one. If it comes with another body, the answer is 409 and nothing is written. \`If-Match\` holds a repeat to what stood before its own writes, so it stays as it was.`;
