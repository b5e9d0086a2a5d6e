/** The retry loop: which failures it retries, when, until when, and what a write's caller learns. */
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { responseReserveMs } from "../../../lib/clock.ts";
import type { ApiError } from "../../../lib/contract/errors.ts";
import { openSession, type StoredOrRefused } from "../../../lib/store/dynamodb/session.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const key = { TableName: "burgee", Key: { pk: "a", sk: "b" } };
const get = new GetCommand(key);

/** What becomes of an attempt: a failure, a response, or none until it is aborted. */
type Fate = Error | "answered" | "silent";

function open(fates: (attempt: number) => Fate, options: { forMs?: number; maxResends?: number } = {}) {
  const { forMs = 10_000, ...rest } = options;
  const sentAt: number[] = [];
  const signals: AbortSignal[] = [];
  const send = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      signals.push(abortSignal);
      sentAt.push(performance.now());
      const fate = fates(sentAt.length);
      if (fate === "answered") resolve({ Attributes: { pk: "a" } });
      else if (fate === "silent")
        abortSignal.addEventListener("abort", () => reject(failure("AbortError", {})));
      else reject(fate);
    });
  const client = { send } as unknown as DynamoDBDocumentClient;
  const session = openSession({
    client,
    table: "burgee",
    remainingMs: () => forMs + responseReserveMs,
    ...rest,
  });
  return { session, sentAt, signals };
}

/** Makes an error as the SDK throws it. */
function failure(name: string, members: object, message = "because"): Error {
  return Object.assign(new Error(message), { name, ...members });
}
const refused = (name: string, members = {}, message?: string) =>
  failure(name, { $metadata: { httpStatusCode: 400 }, ...members }, message);
const server = (httpStatusCode: number) => failure("Unknown", { $metadata: { httpStatusCode } });
const network = (code: string) => failure("Error", { code });
const conditionFailed = new ConditionalCheckFailedException({
  message: "no",
  $metadata: { httpStatusCode: 400 },
});

/** Ends every timer that becomes due meanwhile. */
async function ended<Result>(call: Promise<Result>): Promise<Result | Error> {
  const result = call.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return result;
}

const skewed = { $metadata: { httpStatusCode: 400, clockSkewCorrected: true } };
const notStored: [string, Error][] = [
  ["throttling", refused("ThrottlingException")],
  ["throughput", refused("ProvisionedThroughputExceededException")],
  ["limits of the account", refused("RequestLimitExceeded")],
  ["a signature from the past", refused("InvalidSignatureException", {}, "Signature expired: ...")],
  ["one from the future", refused("InvalidSignatureException", {}, "Signature not yet current: ...")],
  ["what DynamoDB declares retryable", refused("ReplicatedWriteConflictException", { $retryable: {} })],
  ["a refusal that breaks off", refused("Error", { code: "ECONNRESET" })],
  ["a refusal that is not JSON", refused("SyntaxError")],
];
const brokenOff = failure("Error", { code: "ECONNRESET", $metadata: { httpStatusCode: 200 } });
const perhapsStored: [string, Error][] = [
  ...["ECONNRESET", "ECONNREFUSED", "ENOTFOUND"].map((code): [string, Error] => [code, network(code)]),
  ["a timeout of the network", failure("TimeoutError", {})],
  ["a response that breaks off", brokenOff],
  ["a success that is not JSON", failure("SyntaxError", { $metadata: { httpStatusCode: 200 } })],
  ...[500, 502, 503, 504].map((status): [string, Error] => [`status ${status}`, server(status)]),
];
const retried = [
  ...notStored.map(([name, error]) => [name, error, false] as const),
  ...perhapsStored.map(([name, error]) => [name, error, true] as const),
];
const notRetried: [string, Error, thrown: string][] = [
  ["a condition that failed", conditionFailed, "ConditionalCheckFailedException"],
  ["an invalid request", refused("ValidationException"), "ValidationException"],
  ["one whose response corrects the clock", refused("ValidationException", skewed), "ValidationException"],
  ["a wrong signature", refused("InvalidSignatureException", skewed), "InvalidSignatureException"],
  ["credentials that expired", refused("ExpiredTokenException"), "ExpiredTokenException"],
  ["a table that is not there", refused("ResourceNotFoundException"), "ResourceNotFoundException"],
  ["an error before anything is sent", failure("CredentialsProviderError", {}), "CredentialsProviderError"],
  ["a denied call: 503", refused("AccessDeniedException"), "TemporarilyUnavailable"],
];

it.each(retried)(
  "retries after %s, and at the deadline gives 503 that says whether a write may be stored",
  async (_, cause, mayBeStored) => {
    const { session, sentAt } = open((attempt) => (attempt < 3 ? cause : "answered"));
    const failing = open(() => cause);

    const output = await ended(session.call(get));
    const error = (await ended(failing.session.write(() => new UpdateCommand(key)))) as ApiError;

    expect(output).toEqual({ Attributes: { pk: "a" } });
    expect(sentAt).toHaveLength(3);
    expect(session.usage).toMatchObject({ calls: 1, sends: 3, conflicts: 0 });
    expect(error).toMatchObject({ name: "TemporarilyUnavailable", cause });
    expect(error.code).toBe(mayBeStored ? "outcome-unknown" : undefined);
  },
);

it.each(notRetried)("does not retry %s", async (_, error, thrown) => {
  const { session, sentAt } = open(() => error);

  expect(await ended(session.call(get))).toMatchObject({ name: thrown });
  expect(sentAt).toHaveLength(1);
});

const lost = network("ECONNRESET");
const slowed = refused("ThrottlingException");
const conflict = (mayBeStored: boolean): StoredOrRefused => ({
  isStored: false,
  refusal: conditionFailed,
  mayBeStored,
});

it.each<[string, Error[], StoredOrRefused]>([
  ["its condition fails", [conditionFailed], conflict(false)],
  ["its condition fails after it was throttled", [slowed, conditionFailed], conflict(false)],
  ["its condition fails after a response was lost", [lost, conditionFailed], conflict(true)],
  ["a retry succeeds", [lost], { isStored: true }],
])("returns the result of a write when %s", async (_, errors, result) => {
  const { session } = open((attempt) => errors[attempt - 1] ?? "answered");

  expect(await ended(session.write(() => new UpdateCommand(key)))).toEqual(result);
});

it("builds the command of each attempt anew", async () => {
  const { session } = open((attempt) => [slowed, lost][attempt - 1] ?? "answered");
  const build = vi.fn(() => new UpdateCommand(key));

  await ended(session.write(build));

  expect(build).toHaveBeenCalledTimes(3);
});

it("a write of an item that DynamoDB finds too large is a 400", async () => {
  const message = "Item size has exceeded the maximum allowed size";
  const { session } = open(() => Object.assign(new Error(message), { name: "ValidationException" }));

  expect(await ended(session.write(() => new UpdateCommand(key)))).toMatchObject({
    status: 400,
    message: "The stored item would be larger than 400 KiB",
  });
});

it("pauses longer and longer, up to a second, with jitter", async () => {
  const { session, sentAt } = open(() => server(500));
  await ended(session.call(get));
  const pauses = sentAt.map((at, index) => at - (sentAt[index - 1] ?? 0)).slice(1);
  vi.mocked(Math.random).mockReturnValue(0.5);
  const { session: other, sentAt: sooner } = open(() => server(500));
  await ended(other.call(get));

  expect(pauses.slice(0, 8)).toEqual([50, 100, 200, 400, 800, 1000, 1000, 1000]);
  expect((sooner[1] ?? 0) - (sooner[0] ?? 0)).toBe(25);
});

it("gives an attempt 2.5 seconds, and the last one the time that is left", async () => {
  const { session, sentAt, signals } = open(() => "silent", { forMs: 6000 });

  const error = await ended(session.call(get));

  expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 2550, 5150]);
  expect(performance.now() - (sentAt[0] ?? 0)).toBe(6000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  expect(error).toMatchObject({ cause: { name: "TimeoutError", message: "No response within 2500 ms" } });
});

it("reports the failure before the deadline, not that the deadline cut off the last attempt", async () => {
  const cause = refused("ThrottlingException");
  const { session } = open((attempt) => (attempt === 1 ? cause : "silent"), { forMs: 500 });

  expect(await ended(session.call(get))).toMatchObject({ cause });
});

it("limits the retries of a tool, but not while DynamoDB throttles", async () => {
  const unreachable = open(() => network("ENOTFOUND"), { forMs: 60_000, maxResends: 3 });
  const busy = open(() => refused("ThrottlingException"), { forMs: 60_000, maxResends: 3 });

  await ended(unreachable.session.call(get));
  await ended(busy.session.call(get));

  expect(unreachable.sentAt).toHaveLength(4);
  expect(busy.sentAt.length).toBeGreaterThan(50);
});
