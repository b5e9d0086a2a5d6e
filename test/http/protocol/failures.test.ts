import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { patchedTo, refused, tagged } from "../../support/answers.ts";
import { type Burgee, openBurgee, type Response } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];
const secret = "Requested resource not found: Table: burgee-secret-table";

let burgee: Burgee;
let feature: string;

/** Each test has its own service: the SDK of one that has seen many failures repeats calls less. */
beforeEach(async () => {
  burgee = await openBurgee();
  feature = await addFeature(burgee);
});
afterEach(() => burgee.wire.close());

const requests: [string, (timeoutMs?: number) => Promise<Response>][] = [
  ["the tag update", (timeoutMs = 15_000) => burgee.putTags(feature, update, { timeoutMs })],
  ["the variant patch", (timeoutMs = 15_000) => burgee.patch(feature, patch, { timeoutMs })],
];

describe("a 5xx tells the caller an id and nothing of the inside, and the log the cause", () => {
  it.each(requests)("when the look-up of the key fails on %s", async (_, request) => {
    burgee.wire.decide(({ operation }) =>
      operation === "GetItem" ? { error: "ResourceNotFoundException", message: secret } : "pass",
    );

    const answer = await request();

    expect(answer).toEqual(refused(500, "InternalError"));
    expectCauseInLogOnly(answer);
  });

  it.each(requests)("when everything but the look-up of the key fails on %s", async (_, request) => {
    burgee.wire.decide(({ operation }) =>
      operation === "GetItem" ? "pass" : { error: "ResourceNotFoundException", message: secret },
    );

    const answer = await request();

    expect(answer).toEqual(refused(500, "InternalError"));
    expectCauseInLogOnly(answer);
  });

  it("when a write of the variant patch fails: the environments' outcomes are the caller's to know", async () => {
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" ? { error: "ResourceNotFoundException", message: secret } : "pass",
    );

    const answer = await burgee.patch(feature, patch);

    const details = [
      { environment: "development", outcome: "failed", message: expect.any(String) },
      { environment: "production", outcome: "not attempted" },
    ];
    expect(answer).toEqual(refused(500, "InternalError", { details }));
    expectCauseInLogOnly(answer);
  });

  function expectCauseInLogOnly(answer: Response): void {
    expect(JSON.stringify(answer)).not.toMatch(/resource|secret|table|dynamo|node_modules|\.ts/i);
    expect(log).toEqual([
      expect.objectContaining({
        level: "error",
        status: 500,
        error: { id: answer.json.id, name: "InternalError", cause: expect.stringContaining(secret) },
      }),
    ]);
  }
});

describe("a throttled or unreachable database", () => {
  const fates = [
    ["throttled", { error: "ThrottlingException" }],
    ["out of throughput", { error: "ProvisionedThroughputExceededException" }],
    ["failing", { error: "InternalServerError", status: 500 }],
    ["cutting the connection", "lose the answer"],
  ] as const;

  it.each(fates)("is asked again while the invocation has time: %s", async (_, fate) => {
    burgee.wire.decide(({ attempt, operation }) =>
      attempt === 1 && operation !== "GetItem" ? fate : "pass",
    );

    const [put, patched] = await Promise.all([burgee.putTags(feature, update), burgee.patch(feature, patch)]);

    expect(put).toEqual(tagged(feature, update.addedTags));
    expect(patched).toEqual(patchedTo([variant("blue")]));
  });

  it.each(fates)(
    "is given up when the time is used up, with 503 TemporarilyUnavailable and retry-after: %s",
    async (_, fate) => {
      burgee.wire.decide(() => fate);

      const answers = await Promise.all(requests.map(([, request]) => request(500)));

      const unavailable = refused(503, "TemporarilyUnavailable", { headers: { "retry-after": "1" } });
      expect(answers).toEqual([unavailable, unavailable]);
    },
  );

  it("midway through a patch gives 503 with the outcome of every environment", async () => {
    let writes = 0;
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" && ++writes > 1 ? { error: "ThrottlingException" } : "pass",
    );

    const answer = await burgee.patch(feature, patch, { timeoutMs: 700 });

    expect(answer).toEqual(
      refused(503, "TemporarilyUnavailable", {
        headers: { "retry-after": "1" },
        message: expect.stringContaining("production"),
        details: [
          { environment: "development", outcome: "patched" },
          { environment: "production", outcome: "failed", message: expect.any(String) },
        ],
      }),
    );
  });
});

describe("an environment that others change at every try", () => {
  it("is given up when the time is used up, with 409 ConflictError and the outcome of every environment", async () => {
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" ? { error: "ConditionalCheckFailedException" } : "pass",
    );

    const answer = await burgee.patch(feature, patch, { timeoutMs: 700 });

    expect(answer).toEqual(
      refused(409, "ConflictError", {
        message: expect.stringContaining("development"),
        details: [
          { environment: "development", outcome: "failed", message: expect.any(String) },
          { environment: "production", outcome: "not attempted" },
        ],
      }),
    );
  });
});
