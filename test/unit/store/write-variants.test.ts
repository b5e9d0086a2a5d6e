import { expect, it } from "vitest";
import { createStamp } from "../../../lib/features/stores.ts";
import { requireRoomForVariants } from "../../../lib/store/write-variants.ts";
import { environmentState, variant } from "../../support/seed.ts";

const stamp = createStamp({ by: "ci", request: "r" });

it.each([
  ["room for the variants", 390_000, true],
  ["no room for the rest of the item beside the variants", 409_500, false],
])("a dry run finds %s", (_, length, fits) => {
  const variants = [variant("blue", { payload: { type: "string", value: "x".repeat(length) } })];
  const check = () =>
    requireRoomForVariants({ project: "p", feature: "f", before: environmentState(), variants, stamp });

  if (fits) expect(check).not.toThrow();
  else expect(check).toThrow("400 KiB");
});
