/** What clients take from an error, beside what its code says (see by-key.test.ts, write.test.ts and failures.test.ts). */
import { expect, it } from "vitest";
import { isWriteUnknown } from "../../../../infra/clients/api/error-codes.ts";
import { InternalError, TemporarilyUnavailable, toUnknownOutcome } from "../../../../lib/contract/errors.ts";

const id = "9f1c5c0e-0000-4000-8000-000000000000";

it.each([
  ["a 503 of the database before the write", new TemporarilyUnavailable("Throttled")],
  ["a 503 after which the write may be stored", toUnknownOutcome(new TemporarilyUnavailable("No response"))],
  ["a defect", new InternalError("Internal error")],
])("takes %s as the service means it", (_, { status, code, mayBeStored: isMeant }) => {
  expect(isWriteUnknown(status, { id, ...(code && { code }) })).toBe(isMeant);
});

it.each([
  ["a gateway's 502", 502, {}, true],
  ["a gateway's 503, with a message", 503, { message: "Service Unavailable" }, true],
  ["a gateway's 429, which has not reached the service", 429, { message: "Too Many Requests" }, false],
  ["one environment of several", 409, { id, details: [{ code: "outcome-unknown" as const }] }, true],
])("says whether the write may be stored after %s", (_, status, body, expected) => {
  expect(isWriteUnknown(status, body)).toBe(expected);
});
