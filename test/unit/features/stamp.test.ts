/** The ids of changes and items. */
import { expect, it } from "vitest";
import { createStamp, newId } from "../../../lib/features/stamp.ts";
import { times } from "../../support/patching.ts";

const withKey = (key: number) =>
  createStamp({
    by: "ci",
    requestId: "r",
    idempotency: { idempotencyKey: String(key), scope: [], toRepeat: [] },
  }).id;

it.each([
  ["random", newId],
  ["of an idempotency key", withKey],
])("no id begins with a hyphen, as an option does: %s", (_, make) => {
  const ids = times(2000, make);

  expect(ids.filter((id) => !/^\w[\w-]{10}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(2000);
  // Elsewhere every seventh has one.
  expect(ids.filter((id) => id.includes("-")).length).toBeGreaterThan(100);
});
