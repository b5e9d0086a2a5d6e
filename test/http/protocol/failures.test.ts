/** What a caller sees when the database fails, is throttled or unreachable, or refuses each write. */
import { beforeEach, describe, expect, it } from "vitest";
import { detailsOf, refused } from "../../support/answers.ts";
import { featurePath, type Request, type Response, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag } from "../../support/seed.ts";
import { type Call, type Fate, isPutOfFeature, isUpdate } from "../../support/wire.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];
const broken = {
  error: "ResourceNotFoundException",
  message: "Requested resource not found: Table: burgee-secret-table",
};

const featuresPath = "/api/admin/projects/default/features";
const isDelete = ({ operation }: Call) => operation === "DeleteItem";
const isDeleteOfEnvironment = (call: Call) =>
  isDelete(call) && JSON.stringify(call.input).includes("ENVIRONMENT#");

const burgee = useBurgee();
const create = (name: string) => burgee.send({ method: "POST", path: featuresPath, json: { name } });
const remove = (name: string) => burgee.send({ method: "DELETE", path: featurePath(name) });
let feature: string;
let key: string;

beforeEach(async () => {
  feature = await addFeature(burgee);
  // Not cached yet, so that it is looked up.
  key = await burgee.keyWith({ permission: "ADMIN" });
});

const requests: [string, (options?: Partial<Request>) => Promise<Response>][] = [
  ["the tag update", (options) => burgee.putTags(feature, update, { key, ...options })],
  ["the variant patch", (options) => burgee.patchVariants(feature, patch, { key, ...options })],
];

describe("a 5xx has an id and no cause, which is in the log, when", () => {
  it.each(requests)("the database fails for %s", async (_, request) => {
    burgee.wire.decide(() => broken);

    const answer = await request();

    expect(answer).toEqual(refused(500, "InternalError"));
    expectCauseInLogOnly(answer);
  });

  it("a read fails, whose log line names no change", async () => {
    // Its key is known by then.
    await burgee.getVariants(feature);
    log.length = 0;
    burgee.wire.decide(() => broken);

    const answer = await burgee.getVariants(feature);

    expect(answer).toEqual(refused(500, "InternalError"));
    expectCauseInLogOnly(answer);
    expect(log.at(-1)).not.toHaveProperty("change");
  });

  it("a deletion cannot read the feature, and its log line names no deletion", async () => {
    await burgee.getVariants(feature);
    log.length = 0;
    burgee.wire.decide(() => broken);

    const answer = await remove(feature);

    expect(answer).toEqual(refused(500, "InternalError"));
    expectCauseInLogOnly(answer);
    expect(log.at(-1)).not.toHaveProperty("change");
  });

  it("a write of the variant patch fails, together with the outcome of every environment", async () => {
    burgee.wire.decideWrites(() => broken);

    const answer = await burgee.patchVariants(feature, patch);

    const failed = { message: "Internal error" };
    const details = detailsOf({ development: failed, production: "not attempted" });
    expect(answer).toEqual(refused(500, "InternalError", { details, mayBeStored: true }));
    expectCauseInLogOnly(answer);
  });

  const fateOf: Record<string, Fate> = { refused: { error: "ConditionalCheckFailedException" }, broken };

  it.each<[string, () => Promise<Response>, (call: Call) => boolean, keyof typeof fateOf]>([
    ["the variant patch", () => burgee.patchVariants(feature, patch), isUpdate, "refused"],
    ["the tag update", () => burgee.putTags(feature, update), isUpdate, "refused"],
    ["a creation", () => create("created"), isPutOfFeature, "refused"],
    ["a deletion", () => remove(feature), isDelete, "refused"],
    ["a deletion, at its last write", () => remove(feature), isDeleteOfEnvironment, "broken"],
  ])("%s cannot look up its write, and the log has its id", async (_, request, isWrite, fate) => {
    let isSent = false;
    burgee.wire.decide((call): Fate => {
      if (isSent) return broken;
      isSent = isWrite(call);
      return isSent ? (fateOf[fate] ?? "pass") : "pass";
    });

    const answer = await request();

    expect(answer).toMatchObject({ status: 500, json: { name: "InternalError" } });
    expect(answer.json).not.toHaveProperty("code");
    expectCauseInLogOnly(answer);
    expect(log.at(-1)).toMatchObject({ change: expect.stringMatching(/^[\w-]{11}$/) });
  });

  function expectCauseInLogOnly(answer: Response): void {
    expect(JSON.stringify(answer)).not.toMatch(/resource|secret|table|dynamo|node_modules|\.ts/i);
    expect(log).toEqual([
      expect.objectContaining({
        level: "error",
        status: 500,
        error: { id: answer.json.id, name: "InternalError", cause: expect.stringContaining(broken.message) },
      }),
    ]);
  }
});

it("a patch whose writes all conflict gives 409 with each outcome half a second before the deadline", async () => {
  let remaining = 700;
  burgee.wire.decideWrites(() => ({ error: "ConditionalCheckFailedException" }));

  const answer = await burgee.patchVariants(feature, patch, { remainingMs: () => (remaining -= 10) });

  const message = "Gave up waiting for other requests; nothing was written here";
  const details = detailsOf({ development: { code: "gave-up", message }, production: "not attempted" });
  expect(answer).toEqual(
    refused(409, "ConflictError", {
      code: "gave-up",
      message: `environment "development": g${message.slice(1)}`,
      details,
    }),
  );
});

describe("a database that does not serve calls", () => {
  const unavailable = (refusal = {}) =>
    refused(503, "TemporarilyUnavailable", {
      headers: { "retry-after": "1" },
      message: expect.stringMatching(/[Tt]he database is temporarily unavailable/),
      ...refusal,
    });

  /** Each class of failure: test/unit/store/session.test.ts */
  it("gives 503 and retry-after at the deadline, and logs why", async () => {
    burgee.wire.decide(() => ({ error: "ThrottlingException" }));

    const answers = await Promise.all(requests.map(([, request]) => request({ remainingMs: 1000 })));

    expect(answers).toEqual([unavailable(), unavailable()]);
    const error = expect.objectContaining({ cause: expect.stringContaining("ThrottlingException") });
    expect(log).toEqual([expect.objectContaining({ error }), expect.objectContaining({ error })]);
  });

  it("gives 503 at once when a permission is missing, and does not say that a write may be stored", async () => {
    burgee.wire.decideWrites(() => ({ error: "AccessDeniedException", message: "no permission" }));

    const answers = await Promise.all(requests.map(([, request]) => request()));

    expect(answers).toEqual([unavailable(), unavailable({ details: expect.any(Array) })]);
    expect(JSON.stringify(answers)).not.toMatch(/not known|permission/);
    expect(burgee.writes()).toHaveLength(2);
    const error = expect.objectContaining({ cause: expect.stringContaining("no permission") });
    expect(log).toEqual([expect.objectContaining({ error }), expect.objectContaining({ error })]);
  });
});
