/** What the one log line of a request has, and never has. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { adminKey, eventOf, tagsPath, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";
import { nearDeadlineAfter } from "../../support/time.ts";
import { type Call, isRead } from "../../support/wire.ts";

const tagsRoute = "PUT /api/admin/features/{featureName}/tags";
const variantsRoute = "PATCH /api/admin/projects/{projectId}/features/{featureName}/variants";
const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];

const burgee = useBurgee();
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee);
  vi.mocked(process.stdout.write).mockClear();
});

const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("one line of JSON is logged for each request:", () => {
  const started = useBurgee();

  it("a tag update, the first request of the sandbox: its request id, route, status, duration, the name of the key, the path", async () => {
    feature = await addFeature(started);
    const event = eventOf({ method: "PUT", path: tagsPath(feature), json: update });

    await started.deliver("tags", event);

    expect(log).toEqual([
      {
        time: anyTime,
        level: "info",
        requestId: event.requestContext.requestId,
        coldStart: true,
        initMs: expect.any(Number),
        route: tagsRoute,
        caller: "admin",
        keyHash: hashKey(adminKey).slice(0, 8),
        path: { featureName: feature },
        change: expect.any(String),
        table: { calls: 3, sends: 3, conflicts: 0, ms: expect.any(Number) },
        status: 201,
        ms: expect.any(Number),
      },
    ]);
    const { lastWrite } = await started.storedFeature(feature);
    expect(lastWrite).toMatchObject({
      id: log[0]?.change,
      requestId: event.requestContext.requestId,
      by: "admin",
    });
  });

  it("a patch that stopped midway: the outcome of every environment, and the error", async () => {
    const environments = { development: [variant("blue")], staging: [], production: [variant("blue")] };
    feature = await addFeature(burgee, { environments });

    const { json } = await burgee.patchVariants(feature, [replace("/0/stickiness", "id")]);

    expect(log).toEqual([
      expect.objectContaining({
        level: "info",
        route: variantsRoute,
        path: { projectId: "default", featureName: feature },
        environments: { development: "patched", staging: "failed", production: "not attempted" },
        error: { id: json.id, name: "ValidationError" },
        status: 400,
      }),
    ]);
  });

  it("the change only where it is stored: not of what changes nothing, is refused or is tried", async () => {
    await burgee.putTags(feature, { addedTags: [], removedTags: [] });
    await burgee.patchVariants(feature, []);
    await burgee.patchVariants(feature, [remove("/9")]);
    await burgee.patchVariants(feature, patch, { dryRun: true });
    const { headers } = await burgee.patchVariants(feature, patch);

    expect(log.map(({ change }) => change)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      headers["burgee-change"],
    ]);
  });

  it("the code of an error, and not its message", async () => {
    const headers = { "idempotency-key": "a" };
    const { headers: patched } = await burgee.patchVariants(feature, patch, { headers });
    const undo = await burgee.undo(feature, patched["burgee-change"] ?? "");

    const { json } = await burgee.patchVariants(feature, patch, { headers });

    const undoneBy = undo.headers["burgee-change"];
    expect(log.at(-1)?.error).toEqual({ id: json.id, name: "ConflictError", code: "undone", undoneBy });
  });

  it("how many users a request would have moved that Burgee-Most-Moves refuses", async () => {
    const environments = { development: [variant("blue")] };
    feature = await addFeature(burgee, { environments, enabled: true });
    const atMost = { headers: { "burgee-most-moves": "0.1" } };
    await burgee.patchFeature(feature, [add("/variants/red", { weight: 333, weightType: "fix" })], atMost);
    await burgee.patchFeature(feature, [add("/dependencies", [{ feature: "parent" }])], atMost);

    expect(log).toMatchObject([
      { status: 409, error: { code: "too-many-moves" }, moves: 0.333 },
      { status: 409, error: { code: "too-many-moves" }, moves: null },
    ]);
  });

  it("the reason of a change and the name of its guard, also if it is refused", async () => {
    const headers = { "burgee-reason": "why", "burgee-guard": "errors; for=10m" };
    await burgee.patchVariants(feature, patch, { headers });
    await burgee.patchVariants(feature, [remove("/9")], { headers });

    expect(log.map(({ status, reason, guard }) => ({ status, reason, guard }))).toEqual([
      { status: 200, reason: "why", guard: "errors" },
      { status: 400, reason: "why", guard: "errors" },
    ]);
  });

  it("what is refused: only what was known of it, and neither its query nor its headers", async () => {
    const headers = { "user-agent": "forged" };
    await burgee.send({ method: "GET", path: "/elsewhere?forged=%0A{", headers });
    await burgee.putTags(feature, update, { key: "unknown", headers });

    expect(log.map(({ route, status, caller, path }) => [route, status, caller, path])).toEqual([
      [undefined, 404, undefined, undefined],
      [tagsRoute, 401, undefined, undefined],
    ]);
    expect(JSON.stringify(log)).not.toContain("forged");
  });
});

const isReadOfFeature = (call: Call) => isRead(call) && JSON.stringify(call.input).includes("FEATURE#");

it("a tag update has its id in the log also where it is not known whether it was stored", async () => {
  burgee.wire.decideWrites(() => "lose the answer");

  const { status } = await burgee.putTags(feature, update, {
    remainingMs: nearDeadlineAfter(burgee.wire, isReadOfFeature),
  });

  const { lastWrite } = await burgee.storedFeature(feature);
  expect([status, log[0]?.change]).toEqual([503, lastWrite.id]);
});

describe("a line counts the calls of its request to the table:", () => {
  const reason = "TableWriteMaxOnDemandThroughputExceeded";
  const throttled = [
    ["ProvisionedThroughputExceededException", { ThrottlingReasons: [{ reason }] }, reason],
    ["ThrottlingException", { throttlingReasons: [{ reason }] }, reason],
    ["RequestLimitExceeded", {}, "RequestLimitExceeded"],
  ] as const;

  it("a write conflict", async () => {
    burgee.wire.decideWrites((count) =>
      count === 1 ? { error: "ConditionalCheckFailedException" } : "pass",
    );

    await burgee.patchVariants(feature, patch);

    const calls = burgee.wire.calls.length;
    const ms = expect.any(Number);
    expect(log).toEqual([
      expect.objectContaining({ status: 200, table: { calls, sends: calls, conflicts: 1, ms } }),
    ]);
  });

  it.each(throttled)(
    "%s: each attempt, and DynamoDB's reasons, at the deadline",
    async (error, members, logged) => {
      burgee.wire.decideWrites(() => ({ error, members }));

      const { status, json } = await burgee.putTags(feature, update, {
        remainingMs: nearDeadlineAfter(burgee.wire, isReadOfFeature),
      });

      expect(status).toBe(503);
      expect(json).not.toHaveProperty("throttling");
      expect(log).toEqual([
        expect.objectContaining({
          level: "error",
          error: expect.objectContaining({ name: "TemporarilyUnavailable" }),
        }),
      ]);
      const sends = burgee.wire.calls.length;
      expect(sends).toBeGreaterThan(1);
      // The deadline may end the last attempt before it reaches the wire.
      expect(log[0]?.table).toMatchObject({
        sends: expect.toBeOneOf([sends, sends + 1]),
        throttling: [logged],
      });
    },
  );

  it("a throttled call whose retry succeeded, with DynamoDB's reason too", async () => {
    const [error, members, logged] = throttled[0];
    burgee.wire.decideWrites((count) => (count === 1 ? { error, members } : "pass"));

    await burgee.putTags(feature, update);

    const calls = burgee.wire.calls.length - 1;
    const ms = expect.any(Number);
    const table = { calls, sends: calls + 1, conflicts: 0, ms, throttling: [logged] };
    expect(log).toEqual([expect.objectContaining({ status: 201, table })]);
  });
});

describe("a line stays one line of printable characters, whatever the names in it", () => {
  const names = [
    "two\r\nlines",
    "two\u0085lines",
    "two\u2028lines\u2029s",
    '"}\n{"time":"forged"',
    "\u001b[31mred",
    "\u009b31mred\u007f",
    "\u202egnp.exe\u2066hidden\u2069",
    "zero\u200bwidth\ufeffs",
    "\u{e0041}",
  ];

  /** The line that was logged, if there is exactly one, and it cannot be taken for more. */
  function theOneLine(): unknown {
    const lines = vi.mocked(process.stdout.write).mock.calls.map(([chunk]) => String(chunk));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{[^\p{Control}\p{Format}\u2028\u2029]*\}\n$/u);
    return JSON.parse(lines[0] ?? "");
  }

  it.each(names)("a project, a feature, an environment and an API key named %j", async (name) => {
    const key = `burgee-test-key-${randomUUID()}`;
    await burgee.store({ apiKeys: [{ name, key, permissions: [{ permission: "ADMIN" }] }] });
    await addFeature(burgee, { name, project: name, environments: { [name]: [] } });

    await burgee.patchVariants(name, patch, { project: name, environment: name, key });

    const path = { projectId: name, featureName: name, environment: name };
    expect(theOneLine()).toMatchObject({
      caller: name,
      path,
      environments: { [name]: "patched" },
      status: 200,
    });
  });

  it("a failure of the database", async () => {
    const message = names.join();
    burgee.wire.decide(() => ({ error: "ResourceNotFoundException", message }));

    await burgee.getTags(feature);

    expect(theOneLine()).toMatchObject({ error: { cause: expect.stringContaining(message) }, status: 500 });
  });
});
