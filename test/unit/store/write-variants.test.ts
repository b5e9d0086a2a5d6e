import { expect, it } from "vitest";
import { createStamp } from "../../../lib/features/stores.ts";
import type { Memory } from "../../../lib/store/remembered-writes.ts";
import { requireRoomForVariants } from "../../../lib/store/write-variants.ts";
import { variant } from "../../support/seed.ts";

const stamp = createStamp({ by: "ci", request: "r" });
const none: Memory = { writes: new Uint8Array(), records: [], movedAt: undefined, bornUid: undefined };

/** The longest payload of the only variant that a dry run accepts. */
function roomIn(memory: Memory, uidSince?: number): number {
  const state = { environment: "production", uid: "uid", uidSince, revision: 7, variants: [] };
  const before = { ...state, memory, served: 0, lastTicket: 0 };
  const fits = (length: number) => {
    const variants = [variant("blue", { payload: { type: "string", value: "x".repeat(length) } })];
    try {
      requireRoomForVariants({ project: "p", feature: "f", before, variants, stamp });
      return true;
    } catch {
      return false;
    }
  };
  let [least, most] = [0, 500_000];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}

it.each([
  ["its uid before a move", { ...none, bornUid: "uid-of-old" }, undefined],
  ["the revision of its last moved records", { ...none, movedAt: 6 }, undefined],
  ["the revision of its first uid", none, 3],
])("a dry run leaves room for what stays in the item: %s", (_, memory, uidSince) => {
  expect(roomIn(memory, uidSince)).toBeLessThan(roomIn(none));
});
