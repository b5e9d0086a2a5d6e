import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { eventOf, openBurgee, tagsPath, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { log } from "../../support/log.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

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

/** The output, unparsed. */
const written = () => vi.mocked(process.stdout.write).mock.calls.map(([chunk]) => String(chunk));
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("one line of JSON is logged for each request:", () => {
  it("a tag update: its request id, route, status, duration, the name of the key, the path", async () => {
    const event = eventOf({ method: "PUT", path: tagsPath(feature), json: update });

    await deliver("tags", event);

    expect(log).toEqual([
      {
        time: anyTime,
        level: "info",
        requestId: event.requestContext.requestId,
        coldStart: true,
        initMs: expect.any(Number),
        route: tagsRoute,
        key: "admin",
        path: { featureName: feature },
        change: expect.any(String),
        table: { calls: 2, attempts: 2, conflicts: 0, ms: expect.any(Number) },
        status: 201,
        ms: expect.any(Number),
      },
    ]);
    const { changed } = await burgee.storedFeature(feature);
    expect(changed).toMatchObject({
      id: log[0]?.change,
      request: event.requestContext.requestId,
      by: "admin",
    });
  });

  it("a variant patch: the outcome of every environment as well", async () => {
    const environments = {
      development: [variant("blue")],
      production: [variant("blue", { stickiness: "id" })],
    };
    feature = await addFeature(burgee, { environments });

    await burgee.patch(feature, [replace("/0/stickiness", "id")]);

    expect(log).toEqual([
      expect.objectContaining({
        level: "info",
        route: variantsRoute,
        key: "admin",
        path: { projectId: "default", featureName: feature },
        environments: { development: "patched", production: "unchanged" },
        status: 200,
      }),
    ]);
  });

  it("a patch that stopped midway: the outcome of every environment, and the error", async () => {
    const environments = { development: [variant("blue")], staging: [], production: [variant("blue")] };
    feature = await addFeature(burgee, { environments });

    const { json } = await burgee.patch(feature, [replace("/0/stickiness", "id")]);

    expect(log).toEqual([
      expect.objectContaining({
        level: "info",
        environments: { development: "patched", staging: "failed", production: "not attempted" },
        error: { id: json.id, name: "ValidationError" },
        status: 400,
      }),
    ]);
  });

  it("a read: no id of a change", async () => {
    await burgee.getTags(feature);

    expect(log).toEqual([expect.objectContaining({ key: "admin", status: 200 })]);
    expect(log[0]).not.toHaveProperty("change");
  });

  it("an unknown path: no route, no key", async () => {
    const { json } = await burgee.send({ method: "GET", path: "/elsewhere" });

    expect(log).toEqual([
      {
        time: anyTime,
        level: "info",
        requestId: expect.any(String),
        coldStart: false,
        error: { id: json.id, name: "NotFoundError" },
        table: { calls: 0, attempts: 0, conflicts: 0, ms: 0 },
        status: 404,
        ms: expect.any(Number),
      },
    ]);
  });

  it("a caller without a valid key: the route, but neither a key's name nor the path", async () => {
    await burgee.putTags(feature, update, { key: "unknown" });

    expect(log).toEqual([expect.objectContaining({ route: tagsRoute, status: 401 })]);
    expect(log[0]).not.toHaveProperty("key");
    expect(log[0]).not.toHaveProperty("path");
  });

  it("an error: its id, which is another for each request", async () => {
    const answers = [
      await burgee.putTags("missing", update),
      await burgee.putTags("missing", update),
      await burgee.patch("missing", []),
    ];

    const ids = answers.map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(3);
    expect(log.map(({ error }) => error)).toEqual(ids.map((id) => ({ id, name: "NotFoundError" })));
  });

  it("the first request of a sandbox, and no other, as a cold start", async () => {
    const other = await openBurgee({ projects: [{ id: "default", environments: [] }] });

    await other.putTags("any", update);
    await other.putTags("any", update);

    other.wire.close();
    expect(log.map(({ coldStart }) => coldStart)).toEqual([true, false]);
  });
});

describe("a line counts the calls of its request to the table:", () => {
  const reason = "TableWriteMaxOnDemandThroughputExceeded";
  const throttled = [
    ["ProvisionedThroughputExceededException", { ThrottlingReasons: [{ reason }] }, reason],
    ["ThrottlingException", { throttlingReasons: [{ reason }] }, reason],
    ["RequestLimitExceeded", {}, "RequestLimitExceeded"],
  ] as const;

  const tableMs = (line: unknown) => (line as { table: { ms: number } }).table.ms;

  function refuseFirstWrite(error: string, members = {}): void {
    burgee.wire.decideWrites((count) => (count === 1 ? { error, members } : "pass"));
  }

  it("a patch: its calls, no more attempts than these, and less time than the request took", async () => {
    await burgee.patch(feature, patch);

    const [line] = log;
    const calls = burgee.wire.calls.length;
    expect(line).toMatchObject({ table: { calls, attempts: calls, conflicts: 0 } });
    expect(tableMs(line)).toBeGreaterThan(0);
    expect(tableMs(line)).toBeLessThanOrEqual(Number(line?.ms) + 1);
  });

  it("a write conflict", async () => {
    await burgee.patch(feature, []);
    log.length = 0;
    refuseFirstWrite("ConditionalCheckFailedException");

    await burgee.patch(feature, patch);

    expect(log).toEqual([
      expect.objectContaining({ status: 200, table: expect.objectContaining({ conflicts: 1 }) }),
    ]);
  });

  it.each(throttled)("%s that a retry overcame: one more attempt, and no error", async (name, members) => {
    refuseFirstWrite(name, members);

    await burgee.putTags(feature, update);

    const calls = burgee.wire.calls.length - 1;
    expect(log).toEqual([
      expect.objectContaining({
        table: { calls, attempts: calls + 1, conflicts: 0, ms: expect.any(Number) },
      }),
    ]);
    expect(log[0]).not.toHaveProperty("error");
  });

  it.each(throttled)("%s until the deadline: DynamoDB's reasons", async (name, members, logged) => {
    burgee.wire.decideWrites(() => ({ error: name, members }));

    const { status, json } = await burgee.putTags(feature, update, { remainingMs: 1300 });

    expect(status).toBe(503);
    expect(json).not.toHaveProperty("throttling");
    expect(log).toEqual([
      expect.objectContaining({
        level: "error",
        error: expect.objectContaining({ name: "TemporarilyUnavailable", throttling: [logged] }),
      }),
    ]);
    const attempts = burgee.wire.calls.length;
    expect(attempts).toBeGreaterThan(2);
    // The deadline may end the last attempt before it reaches the wire.
    expect(log[0]?.table).toMatchObject({ attempts: expect.toBeOneOf([attempts, attempts + 1]) });
  });
});

describe("a line stays one line of printable characters, whatever the names in it", () => {
  const names = [
    "two\nlines",
    "two\r\nlines",
    "two\u0085lines",
    "two\u2028lines",
    "two\u2029lines",
    '"}\n{"time":"forged"',
    "\u001b[31mred",
    "\u009b31mred",
    "\u007f",
    "\u202egnp.exe",
    "\u2066hidden\u2069",
    "zero\u200bwidth\ufeff",
    "\u{e0041}",
  ];

  /** The line that was logged, if there is exactly one, and it cannot be taken for more. */
  function theOneLine(): unknown {
    const lines = written();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{[^\p{Control}\p{Format}\u2028\u2029]*\}\n$/u);
    return JSON.parse(lines[0] ?? "");
  }

  it.each(names)("a project, a feature, an environment and an API key named %j", async (name) => {
    const key = `burgee-test-key-${randomUUID()}`;
    await burgee.store({ apiKeys: [{ name, key, permissions: [{ permission: "ADMIN" }] }] });
    await addFeature(burgee, { name, project: name, environments: { [name]: [] } });

    await burgee.patch(name, patch, { project: name, environment: name, key });

    const path = { projectId: name, featureName: name, environment: name };
    expect(theOneLine()).toMatchObject({ key: name, path, environments: { [name]: "patched" }, status: 200 });
  });

  it.each(names)("a failure of the database with the message %j", async (message) => {
    burgee.wire.decide(() => ({ error: "ResourceNotFoundException", message }));

    await burgee.getTags(feature);

    burgee.wire.reset();
    expect(theOneLine()).toMatchObject({ error: { cause: expect.stringContaining(message) }, status: 500 });
  });

  it("a query and headers, which are not logged at all", async () => {
    const path = `/api/admin/features/${feature}/tags?forged=%0A{`;

    await burgee.send({ method: "GET", path, headers: { "user-agent": "forged", "x-forged": "forged" } });

    expect(JSON.stringify(theOneLine())).not.toContain("forged");
  });
});
