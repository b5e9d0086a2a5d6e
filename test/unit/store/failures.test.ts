/** What a failed call says about its write. */
import { expect, it } from "vitest";
import { TemporarilyUnavailable } from "../../../lib/contract/errors.ts";
import { toFailure, withUnknownOutcome } from "../../../lib/store/failures.ts";

const aborted = Object.assign(new Error("aborted"), { name: "AbortError" });

it.each([
  ["was sent", toFailure(aborted), "it is not known whether the write was stored"],
  ["never was, as no time was left", new TemporarilyUnavailable("Timed out"), "Timed out"],
  ["failed otherwise", new Error("denied"), "denied"],
])("a write that %s", (_, failure, message) => {
  expect((withUnknownOutcome(failure) as Error).message).toMatch(new RegExp(`${message}$`));
});
