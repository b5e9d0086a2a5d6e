/** `DELETE .../features/{featureName}` and `POST .../restore`: what is kept, what comes back, and what an interruption leaves. */
import { setTimeout } from "node:timers/promises";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { projectItem } from "../../../infra/store/key-and-project-items.ts";
import { readTable, scanTable } from "../../../infra/store/read-table.ts";
import { minRoundMs, reservationMs } from "../../../lib/clock.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { isFeatureItem } from "../../../lib/store/items/items.ts";
import { noAccess, notFound, refused } from "../../support/answers.ts";
import { featurePath, type Request, type Response, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, replace, times } from "../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../support/seed.ts";
import { letPass } from "../../support/time.ts";
import { type Call, type Fate, isPutOfFeature } from "../../support/wire.ts";

const strategy = {
  id: "gradual",
  name: "flexibleRollout",
  parameters: { rollout: "25", stickiness: "userId", groupId: "checkout" },
  constraints: [{ contextName: "country", operator: "IN", values: ["CH", "AT"] }],
  variants: [],
};
const half = { weight: 500 };
const projects = [projectOf("default", "development", "production"), projectOf("other", "development")];
const burgee = useBurgee({ projects }, { DOCUMENT_CACHE_SECONDS: "0" });

let count = 0;
/** Adds a feature that has something of everything. */
async function addCheckout(): Promise<string> {
  const name = `checkout-${++count}`;
  const feature = {
    name,
    project: "default",
    tags: [tag("q4")],
    environments: {
      development: {
        enabled: true,
        variants: [variant("blue", half), variant("green", half)],
        strategies: [strategy],
        dependencies: [{ feature: "parent", variants: ["a"] }],
      },
      production: { targeting: { targeting: { if: [true, "on", "off"] }, defaultVariant: "on" } },
    },
  };
  await burgee.store({ projects, features: [feature] });
  return name;
}

const place = (project: string, below = "") => ({ project, below });
const remove = (name: string, options: Partial<Request> = {}, project = "default") =>
  burgee.send({ method: "DELETE", path: featurePath(name, place(project)), ...options });
const restore = (name: string, options: Partial<Request> = {}, project = "default") =>
  burgee.send({ method: "POST", path: featurePath(name, place(project, "/restore")), ...options });

/** All that it has. The ETags are others after a restoration. */
async function contentOf(name: string) {
  const { status, json } = await burgee.getFeature(name);
  expect(status).toBe(200);
  return { ...json, environments: json.environments.map((one: object) => ({ ...one, etag: undefined })) };
}

async function served(name: string, environment = "development") {
  const path = `/api/projects/default/environments/${environment}/client/features`;
  const { json } = await burgee.send({ method: "GET", path });
  return json.features.find((one: { name: string }) => one.name === name);
}

const partition = async (name: string) =>
  (await scanTable(burgee.session)).filter(({ pk }) => pk === `FEATURE#${name}`);

const isWrite = ({ operation }: Call) => /^(Put|Update|Delete|BatchWrite)/.test(operation);
const isDelete = ({ operation }: Call) => operation === "DeleteItem";
const denied: Fate = { error: "AccessDeniedException" };
const isOf = (what: string) => (call: Call) => isWrite(call) && JSON.stringify(call.input).includes(what);

it("deletes a feature for SDKs and in lists, and restores it with all that it had", async () => {
  const name = await addCheckout();
  const before = await contentOf(name);
  const document = await served(name);

  const deleted = await remove(name);

  expect(deleted).toMatchObject({
    status: 202,
    json: { deletion: expect.stringMatching(/^[\w-]{11}$/), restorableUntil: expect.any(String) },
  });
  const days = (Date.parse(deleted.json.restorableUntil) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(30, 2);
  expect(await burgee.getFeature(name)).toEqual(notFound());
  expect(await burgee.getTags(name)).toEqual(notFound());
  expect(await served(name)).toBeUndefined();
  expect(await partition(name)).toEqual([]);

  const restored = await restore(name);

  const { json, headers } = await burgee.getFeature(name);
  const location = featurePath(name);
  expect([restored.status, restored.json]).toEqual([201, json]);
  expect(restored.headers).toMatchObject({ etag: headers.etag, location });
  expect(await contentOf(name)).toEqual(before);
  expect(await served(name)).toEqual(document);
  expect((await burgee.getChanges(name)).json.changes).toEqual([]);
  expect(await burgee.patchVariants(name, [add("/-", { name: "red", weight: 1 })])).toMatchObject({
    status: 200,
  });
});

it("a deletion with a body is a 400, and deletes nothing", async () => {
  const name = await addCheckout();
  const before = await contentOf(name);

  expect(await remove(name, { json: { environments: ["development"] } })).toMatchObject({ status: 400 });
  expect(await contentOf(name)).toEqual(before);
});

it("history lists both, by the name of the key and with the reason", async () => {
  const name = await addCheckout();
  const headers = { "burgee-reason": "why" };
  const { deletion, restorableUntil } = (await remove(name, { headers })).json;
  expect(log.at(-1)).toMatchObject({ change: deletion });
  await restore(name, { headers });
  const { change: id } = log.at(-1) as { change: string };

  const { records } = await readTable(burgee.session);

  const mine = records.filter((one) => one.name === name);
  const by = { by: "admin", reason: "why", kind: "feature", project: "default" };
  expect(mine).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...by, did: "deleted", id: deletion, restorableUntil }),
      expect.objectContaining({ ...by, did: "restored", id }),
    ]),
  );
});

it("the log has the id by which history lists a deletion of unknown outcome, in whichever round it was made", async () => {
  const name = await addCheckout();
  let deletes = 0;
  burgee.wire.decide((call) => {
    if (!isDelete(call) || ++deletes === 2) return "pass";
    return deletes === 1 ? { error: "ConditionalCheckFailedException" } : denied;
  });

  const { json } = await remove(name);
  const { change } = log.at(-1) as { change?: string };
  burgee.wire.reset();

  const { records } = await readTable(burgee.session);
  const deletion = records.find((one) => one.name === name && one.did === "deleted");
  expect([json.code, change]).toEqual(["outcome-unknown", deletion?.id]);
});

describe("with the ETag of a feature in If-Match", () => {
  const create = (name: string) =>
    burgee.send({ method: "POST", path: "/api/admin/projects/default/features", json: { name } });
  const etagOf = async (name: string) => (await burgee.getFeature(name)).headers.etag ?? "";
  const message =
    "If-Match does not match: the feature changed after the ETag was read, or it is weak or that of another path; read it again; nothing was written";

  it("a retry after an unknown outcome leaves a feature that was created since", async () => {
    const name = await addCheckout();
    const headers = { "if-match": await etagOf(name) };
    let isDeleted = false;
    burgee.wire.decide((call) => {
      if (isDeleted) return denied;
      isDeleted = isDelete(call);
      return "pass";
    });
    expect(await remove(name, { headers })).toMatchObject({ status: 503, json: { code: "outcome-unknown" } });
    burgee.wire.reset();
    expect(await create(name)).toMatchObject({ status: 201 });

    const retry = await remove(name, { headers });

    const { status, headers: now } = await burgee.getFeature(name);
    expect(status).toBe(200);
    expect(retry).toEqual(refused(412, "PreconditionFailed", { message, headers: { etag: now.etag ?? "" } }));
  });

  it("a retry completes a deletion, and is a 404 after that", async () => {
    const name = await addCheckout();
    const headers = { "if-match": await etagOf(name) };
    let deletes = 0;
    burgee.wire.decide((call) => (isDelete(call) && ++deletes > 1 ? denied : "pass"));
    expect(await remove(name, { headers })).toMatchObject({ status: 503, json: { code: "outcome-unknown" } });
    burgee.wire.reset();

    expect(await remove(name, { headers })).toMatchObject({ status: 202 });
    expect(await remove(name, { headers })).toEqual(notFound());
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    ["its tags", (name) => burgee.putTags(name, { addedTags: [tag("late")], removedTags: [] })],
    ["an environment", (name) => burgee.patchFeature(name, [replace("/enabled", true)])],
  ])("deletes nothing if a request has changed %s since", async (_, change) => {
    const name = await addCheckout();
    const headers = { "if-match": await etagOf(name) };
    await change(name);
    const before = await contentOf(name);

    expect(await remove(name, { headers })).toMatchObject({ status: 412 });
    expect(await contentOf(name)).toEqual(before);
    expect(await remove(name, { headers: { "if-match": await etagOf(name) } })).toMatchObject({
      status: 202,
    });
  });

  it("deletes what is patched after the comparison too, and a restoration brings the patch back", async () => {
    const name = await addCheckout();
    const headers = { "if-match": await etagOf(name) };
    burgee.wire.beforeFirst(isDelete, async () => {
      const patch = [replace("/enabled", false)];
      const patched = await burgee.patchFeature(name, patch, { environment: "development" });
      expect(patched.status).toBe(200);
    });

    expect(await remove(name, { headers })).toMatchObject({ status: 202 });
    expect(await burgee.getFeature(name)).toMatchObject({ status: 404 });

    expect(await restore(name)).toMatchObject({ status: 201 });
    expect((await burgee.storedEnvironment(name, "development")).enabled).toBe(false);
  });

  it("deletes nothing if a request changes its tags in between", async () => {
    const name = await addCheckout();
    const headers = { "if-match": await etagOf(name) };
    burgee.wire.beforeFirst(isDelete, () =>
      burgee.putTags(name, { addedTags: [tag("late")], removedTags: [] }),
    );

    expect(await remove(name, { headers })).toMatchObject({ status: 412 });

    expect((await burgee.getTags(name)).json.tags).toEqual([tag("late"), tag("q4")]);
  });
});

describe("is a 404", () => {
  it("where the project has no such feature, or another project has it", async () => {
    const name = await addCheckout();

    for (const [one, project] of [
      ["none", "default"],
      [name, "other"],
      [name, "none"],
    ] as const) {
      expect(await remove(one, {}, project)).toEqual(notFound());
      expect(await restore(one, {}, project)).toEqual(notFound());
    }
    expect(burgee.wire.calls.filter(isWrite)).toEqual([]);
  });

  it("where the feature is deleted, or another project has deleted it", async () => {
    const name = await addCheckout();
    await remove(name);

    expect(await remove(name)).toEqual(notFound());
    expect(await remove(name, {}, "other")).toEqual(notFound());
    expect(await restore(name, {}, "other")).toEqual(notFound());
    expect(await restore(name)).toMatchObject({ status: 201 });
  });

  it("after 30 days", async () => {
    const name = await addCheckout();
    await remove(name);
    const kept = (await scanTable(burgee.session)).filter(({ pk }) => pk === `DELETED#feature#${name}`);
    expect(kept).toHaveLength(3);
    for (const item of kept) {
      const { ttl } = item as unknown as { ttl: number };
      await burgee.put({ ...item, ttl: ttl - 31 * 86_400 } as never);
    }

    const message = `No feature "${name}" of project "default" was deleted in the last 30 days`;
    expect(await restore(name)).toEqual(refused(404, "NotFoundError", { message }));
  });
});

describe("a restoration is a 409 where the name is taken", () => {
  it("by the feature itself, deleted before or not", async () => {
    const name = await addCheckout();
    const message = `The feature "${name}" already exists, in project "default"`;
    expect(await restore(name)).toEqual(refused(409, "ConflictError", { code: "exists", message }));
    await remove(name);
    await restore(name);

    expect(await restore(name)).toEqual(refused(409, "ConflictError", { code: "exists", message }));
  });

  it("by a feature of another project, which the message does not name", async () => {
    const name = await addCheckout();
    await remove(name);
    const path = "/api/admin/projects/other/features";
    await burgee.send({ method: "POST", path, json: { name } });

    const message = `The feature "${name}" already exists in another project: names are unique`;
    expect(await restore(name)).toEqual(refused(409, "ConflictError", { code: "exists", message }));
  });
});

it("restores the last of several features that were created with one idempotency key", async () => {
  const name = `again-${++count}`;
  const create = () =>
    burgee.send({
      ...{ method: "POST", path: "/api/admin/projects/default/features", json: { name } },
      headers: { "idempotency-key": "one" },
    });
  await create();
  for (const value of ["t1", "t2"]) await burgee.putTags(name, { addedTags: [tag(value)], removedTags: [] });
  await remove(name);
  await create();
  await remove(name);

  expect(await restore(name)).toMatchObject({ status: 201, json: { tags: [] } });
});

it("restores the feature that the project has deleted last", async () => {
  const name = await addCheckout();
  await remove(name);
  await burgee.send({ method: "POST", path: "/api/admin/projects/default/features", json: { name } });
  await burgee.patchVariants(name, [add("/-", { name: "second", weight: 1 })]);
  await remove(name);

  await restore(name);

  expect(await burgee.names(name)).toEqual(["second"]);
});

it("requires DELETE_FEATURE in the project", async () => {
  const name = await addCheckout();
  const key = await burgee.keyWith(
    { permission: "CREATE_FEATURE" },
    { permission: "UPDATE_FEATURE" },
    { permission: "DELETE_FEATURE", project: "other" },
  );
  const message = 'The API key lacks the permission DELETE_FEATURE in project "default"';

  expect(await remove(name, { key })).toEqual(noAccess({ message }));
  const allowed = await burgee.keyWith({ permission: "DELETE_FEATURE", project: "default" });
  expect(await remove(name, { key: allowed })).toMatchObject({ status: 202 });
  expect(await restore(name, { key })).toEqual(noAccess({ message }));
  expect(await restore(name, { key: allowed })).toMatchObject({ status: 201 });
});

describe("a deletion that is interrupted", () => {
  // The batch of what is kept, the feature, its two environments.
  it.each([1, 2, 3, 4])(
    "at its write %i leaves the feature whole or is completed when it is sent again",
    async (at) => {
      const name = await addCheckout();
      const before = await contentOf(name);
      let writes = 0;
      burgee.wire.decide((call) => (isWrite(call) && ++writes >= at ? denied : "pass"));

      const failed = await remove(name);

      burgee.wire.reset();
      if (at === 1) {
        expect(failed).toEqual(refused(503, "TemporarilyUnavailable", { headers: { "retry-after": "1" } }));
      } else expect([failed.status, failed.json.code]).toEqual([503, "outcome-unknown"]);
      if (at <= 2) expect(await contentOf(name)).toEqual(before);
      else expect(await burgee.getFeature(name)).toEqual(notFound());
      expect(await remove(name, {}, "other")).toEqual(notFound());

      const again = await remove(name);

      expect(again).toMatchObject({ status: 202, json: { deletion: expect.any(String) } });
      expect(await partition(name)).toEqual([]);
      expect(await restore(name)).toMatchObject({ status: 201 });
      expect(await contentOf(name)).toEqual(before);
    },
  );

  it.each([3, 4])("at its write %i is completed by its restoration", async (at) => {
    const name = await addCheckout();
    const before = await contentOf(name);
    let writes = 0;
    burgee.wire.decide((call) => (isWrite(call) && ++writes >= at ? denied : "pass"));
    await remove(name);
    burgee.wire.reset();

    expect(await restore(name)).toMatchObject({ status: 201 });

    expect(await contentOf(name)).toEqual(before);
  });

  it("because the time is over says that it may be sent again", async () => {
    const name = await addCheckout();
    let remaining = 10_000;
    burgee.wire.decide((call) => {
      if (isDelete(call)) remaining = 100;
      return "pass";
    });

    const { status, json } = await remove(name, { remainingMs: () => remaining });

    const message =
      "Timed out before reaching the database; it is not known whether the write was stored; send the request again";
    expect([status, json.code, json.message]).toEqual([503, "outcome-unknown", message]);
    burgee.wire.reset();
    expect(await remove(name)).toMatchObject({ status: 202 });
  });
});

describe("a restoration that is interrupted", () => {
  it.each([1, 2, 3])("at its write %i is not found, and is completed when it is sent again", async (at) => {
    const name = await addCheckout();
    const before = await contentOf(name);
    await remove(name);
    let writes = 0;
    burgee.wire.decide((call) => (isWrite(call) && ++writes >= at ? denied : "pass"));
    expect(await restore(name)).toMatchObject({ status: 503 });
    burgee.wire.reset();
    expect(await burgee.getFeature(name)).toEqual(notFound());
    expect(await remove(name)).toEqual(notFound());
    // What is left does not look like a creation that still runs.
    letPass(reservationMs / 1000);

    expect(await restore(name)).toMatchObject({ status: 201 });

    expect(await contentOf(name)).toEqual(before);
  });
});

it("a retry of a restoration adds the environment that the first attempt could not add, as it was", async () => {
  const environments = { a: [variant("blue")], late: [variant("green")] };
  await burgee.store({
    projects: [projectOf("adding", "a", "late")],
    features: [featureOf("added", environments, { project: "adding" })],
  });
  await remove("added", {}, "adding");
  await burgee.put(projectItem("adding", ["a"]));
  let isCreated = false;
  let remainingMs = 10_000;
  burgee.wire.decide(async (call): Promise<Fate> => {
    const isOfLate = JSON.stringify(call.input).includes("ENVIRONMENT#late");
    if (isCreated && call.operation === "PutItem" && isOfLate) {
      remainingMs = minRoundMs - 1;
      return { error: "ConditionalCheckFailedException" };
    }
    if (isPutOfFeature(call)) {
      isCreated = true;
      const { session } = burgee;
      const Item = projectItem("adding", ["a", "late"]);
      await session.call(new PutCommand({ TableName: session.table, Item }));
    }
    return "pass";
  });
  const options = { headers: { "idempotency-key": "adding" } };
  expect(await restore("added", { ...options, remainingMs: () => remainingMs }, "adding")).toMatchObject({
    status: 409,
    json: { code: "outcome-unknown" },
  });
  burgee.wire.reset();

  const { status, json } = await restore("added", options, "adding");

  const names = json.environments.map(({ variants }: { variants: Variant[] }) => variants[0]?.name);
  expect([status, names]).toEqual([201, ["blue", "green"]]);
});

it.each([1, 2, 3, 4])("a lost response of write %i is no failure of a deletion", async (at) => {
  const name = await addCheckout();
  const before = await contentOf(name);
  let writes = 0;
  burgee.wire.decide((call) => (isWrite(call) && ++writes === at ? "lose the answer" : "pass"));

  expect(await remove(name)).toMatchObject({ status: 202 });

  expect(await partition(name)).toEqual([]);
  await restore(name);
  expect(await contentOf(name)).toEqual(before);
});

it.each([1, 2, 3])("a lost response of write %i is no failure of a restoration", async (at) => {
  const name = await addCheckout();
  const before = await contentOf(name);
  await remove(name);
  let writes = 0;
  burgee.wire.decide((call) => (isWrite(call) && ++writes === at ? "lose the answer" : "pass"));

  expect(await restore(name)).toMatchObject({ status: 201 });

  expect(await contentOf(name)).toEqual(before);
});

it("a retry of a restoration with its Idempotency-Key returns the feature as it is by then", async () => {
  const name = await addCheckout();
  await remove(name);
  const headers = { "idempotency-key": "again" };
  await restore(name, { headers });
  await burgee.putTags(name, { addedTags: [tag("since")], removedTags: [] });

  expect(await restore(name, { headers })).toMatchObject({
    status: 201,
    json: { tags: [tag("q4"), tag("since")] },
  });
  expect(await restore(name)).toMatchObject({ status: 409 });
});

it("a restoration with the Idempotency-Key of the creation is another request: a 409", async () => {
  const headers = { "idempotency-key": "for-both" };
  const name = `again-${++count}`;
  await burgee.send({
    ...{ method: "POST", path: "/api/admin/projects/default/features", json: { name } },
    headers,
  });

  expect(await restore(name, { headers })).toMatchObject({ status: 409, json: { code: "exists" } });
});

describe("a concurrent change", () => {
  it("of the tags is deleted and restored with the feature", async () => {
    const name = await addCheckout();
    burgee.wire.beforeFirst(isDelete, () =>
      burgee.putTags(name, { addedTags: [tag("late")], removedTags: [] }),
    );

    expect(await remove(name)).toMatchObject({ status: 202 });

    await restore(name);
    expect((await burgee.getTags(name)).json.tags).toEqual([tag("late"), tag("q4")]);
  });

  it.each(["DELETE", "DELETE that is sent again"])(
    "of an environment that is acknowledged comes back with it: %s",
    async (kind) => {
      const name = await addCheckout();
      const isOfProduction = (call: Call) =>
        isDelete(call) && JSON.stringify(call.input).includes("ENVIRONMENT#production");
      if (kind !== "DELETE") {
        burgee.wire.decide((call) => (isOfProduction(call) ? denied : "pass"));
        expect(await remove(name)).toMatchObject({ status: 503 });
        burgee.wire.reset();
      }
      const stored = await burgee.storedEnvironment(name, "production");
      burgee.wire.beforeFirst(isOfProduction, async () => {
        // As a patch that has read the feature before the deletion.
        await burgee.put({ ...stored, revision: stored.revision + 1, enabled: true } as never);
      });

      expect(await remove(name)).toMatchObject({ status: 202 });

      burgee.wire.reset();
      await restore(name);
      expect((await burgee.storedEnvironment(name, "production")).enabled).toBe(true);
    },
  );

  const createAgain = (name: string) =>
    burgee.send({ method: "POST", path: "/api/admin/projects/default/features", json: { name } });

  it("of an environment that is acknowledged comes back also if the restoration read the feature before its deletion", async () => {
    const name = await addCheckout();
    const stored = await burgee.storedEnvironment(name, "production");
    let isFirst = true;
    burgee.wire.decide(async (call): Promise<Fate> => {
      const input = JSON.stringify(call.input);
      if (isDelete(call) && input.includes("ENVIRONMENT#")) return denied;
      if (!isFirst || call.operation !== "Query" || !input.includes("DELETED#")) return "pass";
      isFirst = false;
      expect(await remove(name)).toMatchObject({ status: 503, json: { code: "outcome-unknown" } });
      // As a patch that has read the feature before the deletion.
      await burgee.put({ ...stored, revision: stored.revision + 1, enabled: true } as never);
      return "pass";
    });

    const { status } = await restore(name);

    burgee.wire.reset();
    if (status !== 201) expect(await restore(name)).toMatchObject({ status: 201 });
    expect((await burgee.storedEnvironment(name, "production")).enabled).toBe(true);
  });

  /** Deletes the feature of a patch that is in flight, and leaves its environments. */
  async function patchDuringInterruptedDeletion(name: string): Promise<void> {
    let isFirst = true;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (isDelete(call) && JSON.stringify(call.input).includes("ENVIRONMENT#")) return denied;
      if (!isFirst || call.operation !== "UpdateItem") return "pass";
      isFirst = false;
      expect(await remove(name)).toMatchObject({ status: 503, json: { code: "outcome-unknown" } });
      return "pass";
    });
    const patch = [add("/-", { name: "late", weight: 0 })];
    expect(await burgee.patchVariants(name, patch, { environment: "development" })).toMatchObject({
      status: 200,
    });
    burgee.wire.reset();
  }

  it("of an environment that is acknowledged comes back also if another project has had the name since", async () => {
    const name = await addCheckout();
    await patchDuringInterruptedDeletion(name);
    const path = "/api/admin/projects/other/features";
    expect(await burgee.send({ method: "POST", path, json: { name } })).toMatchObject({ status: 201 });
    await remove(name, {}, "other");

    expect(await restore(name)).toMatchObject({ status: 201 });

    expect(await burgee.names(name)).toEqual(["blue", "green", "late"]);
  });

  it("of an environment that is acknowledged comes back also if a creation in another project began before the feature's", async () => {
    const name = `early-${++count}`;
    burgee.wire.beforeFirst(isWrite, async () => {
      await createAgain(name);
      await patchDuringInterruptedDeletion(name);
    });
    const path = "/api/admin/projects/other/features";
    expect(await burgee.send({ method: "POST", path, json: { name } })).toMatchObject({ status: 201 });
    await remove(name, {}, "other");

    expect(await restore(name)).toMatchObject({ status: 201 });

    expect(await burgee.names(name)).toEqual(["late"]);
  });

  it("of an environment that is acknowledged comes back also after a creation that was interrupted too", async () => {
    const name = await addCheckout();
    await patchDuringInterruptedDeletion(name);
    burgee.wire.decide((call) => (isPutOfFeature(call) ? denied : "pass"));
    expect(await createAgain(name)).toMatchObject({ status: 503 });
    burgee.wire.reset();
    // What is left does not look like a creation that still runs.
    letPass(reservationMs / 1000);

    expect(await restore(name)).toMatchObject({ status: 201 });

    expect(await burgee.names(name)).toEqual(["blue", "green", "late"]);
  });

  it("that deletes the feature and creates it again leaves the new one", async () => {
    const name = await addCheckout();
    let deletion: string | undefined;
    burgee.wire.beforeFirst(isDelete, async () => {
      ({ deletion } = (await remove(name)).json);
      await createAgain(name);
    });

    expect(await remove(name)).toMatchObject({ status: 202, json: { deletion } });

    expect(await burgee.getFeature(name)).toMatchObject({ status: 200, json: { tags: [] } });
  });

  it("that creates the feature again, after a response was lost, leaves the new one", async () => {
    const name = await addCheckout();
    // What is left of it does not look like a creation that still runs.
    letPass(6);
    let deletes = 0;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (!isDelete(call)) return "pass";
      deletes++;
      // The second is the first one again.
      if (deletes === 2) expect(await createAgain(name)).toMatchObject({ status: 201 });
      return deletes === 1 ? "lose the answer" : "pass";
    });

    expect(await remove(name)).toMatchObject({ status: 202 });

    expect(await burgee.getFeature(name)).toMatchObject({ status: 200, json: { tags: [] } });
    vi.setSystemTime(Date.now() + 1000);
    await remove(name);
    expect(await restore(name)).toMatchObject({ status: 201, json: { tags: [] } });
  });
});

it("a deletion is of unknown outcome if the database fails once the feature was deleted and created again", async () => {
  const name = await addCheckout();
  // What is left of it does not look like a creation that still runs.
  letPass(6);
  let step: "deletes" | "lost" | "creates" | "created" = "deletes";
  burgee.wire.decide(async (call): Promise<Fate> => {
    if (step === "created" && call.operation !== "GetItem") return denied;
    if (step === "creates" || !isDelete(call)) return "pass";
    if (step === "deletes") {
      step = "lost";
      return "lose the answer";
    }
    step = "creates";
    const path = "/api/admin/projects/default/features";
    expect(await burgee.send({ method: "POST", path, json: { name } })).toMatchObject({ status: 201 });
    step = "created";
    return "pass";
  });

  expect(await remove(name)).toMatchObject({ status: 503, json: { code: "outcome-unknown" } });
});

describe("of several at once", () => {
  const deletionsInHistory = async (name: string) =>
    (await readTable(burgee.session)).records
      .filter((one) => one.name === name && one.did === "deleted")
      .map(({ id }) => id);

  it.each([
    ["both have read the same", []],
    ["one has read its tags before an update", [tag("late")]],
  ])("two deletions get the id that history has of the deletion, where %s", async (_, addedTags) => {
    const name = await addCheckout();
    let inner: Response | undefined;
    burgee.wire.beforeFirst(isDelete, async () => {
      await burgee.putTags(name, { addedTags, removedTags: [] });
      inner = await remove(name, { headers: { "burgee-reason": "inner" } });
    });

    const outer = await remove(name);

    expect([outer.status, inner?.status]).toEqual([202, 202]);
    expect(await deletionsInHistory(name)).toEqual([outer.json.deletion]);
    expect(inner?.json.deletion).toBe(outer.json.deletion);
    await restore(name);
    expect((await burgee.getTags(name)).json.tags).toEqual([...addedTags, tag("q4")]);
  });

  it.each([true, false])(
    "a restoration has the patch that came while the feature was being deleted by two requests, and its tags: %s",
    async (hasTags) => {
      const name = await addCheckout();
      vi.useFakeTimers({ toFake: ["Date"] });
      onTestFinished(() => void vi.useRealTimers());
      let isFirst = true;
      // The first has kept the feature without the change. The clock of the other, which deletes it, is slow.
      burgee.wire.decide(async (call): Promise<Fate> => {
        if (!isFirst || !isDelete(call)) return "pass";
        isFirst = false;
        if (hasTags) await burgee.putTags(name, { addedTags: [tag("late")], removedTags: [] });
        await burgee.patchVariants(name, [add("/-", { name: "late", weight: 0 })], {
          environment: "production",
        });
        vi.setSystemTime(Date.now() - 60_000);
        await remove(name);
        vi.setSystemTime(Date.now() + 60_000);
        return "pass";
      });

      expect(await remove(name)).toMatchObject({ status: 202 });

      burgee.wire.reset();
      await restore(name);
      expect((await burgee.getTags(name)).json.tags).toEqual([...(hasTags ? [tag("late")] : []), tag("q4")]);
      expect(await burgee.names(name, "production")).toEqual(["late"]);
    },
  );

  it("a creation that has waited for another one is off: a restoration does not take its reservation for old", async () => {
    const name = await addCheckout();
    await remove(name);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let hasWaited = false;
    let restored: ReturnType<typeof restore> | undefined;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (!hasWaited) vi.setSystemTime(Date.now() + reservationMs);
      hasWaited = true;
      if (!restored && isPutOfFeature(call)) {
        restored = restore(name);
        await setTimeout(200);
      }
      return "pass";
    });

    const path = "/api/admin/projects/default/features";
    const creation = await burgee.send({ method: "POST", path, json: { name } });

    expect(creation).toMatchObject({
      status: 201,
      json: { environments: [{ enabled: false }, { enabled: false }] },
    });
    expect(await restored).toMatchObject({ status: 409, json: { code: "exists" } });
  });

  it("a restoration whose last put arrives after another creation has taken its name stores no feature that is not restored", async () => {
    const name = await addCheckout();
    await remove(name);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = "/api/admin/projects/default/features";
    let created: ReturnType<typeof burgee.send> | undefined;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (created || !isPutOfFeature(call)) return "pass";
      vi.setSystemTime(Date.now() + reservationMs);
      created = burgee.send({ method: "POST", path, json: { name } });
      await created;
      return "pass";
    });

    const restored = await restore(name);

    expect(await created).toMatchObject({ status: 201 });
    expect(restored).toMatchObject({ status: 409, json: { code: "exists" } });
  });

  it("a creation whose put is throttled while a restoration replaces its environments is a 409, and leaves the restored feature as it was", async () => {
    const name = await addCheckout();
    await remove(name);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const sends = { creation: 0, restoration: 0 };
    let hasReplaced = () => {};
    const replaced = new Promise<void>((resolve) => {
      hasReplaced = resolve;
    });
    let hasCreated = () => {};
    const created = new Promise<void>((resolve) => {
      hasCreated = resolve;
    });
    let restored: ReturnType<typeof restore> | undefined;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (!isPutOfFeature(call)) return "pass";
      const isOfRestoration = JSON.stringify(call.input).includes('"restores"');
      if (isOfRestoration && ++sends.restoration === 1) {
        hasReplaced();
        await created;
      } else if (!isOfRestoration && ++sends.creation === 1) {
        // The environments of the creation are old, and the put of its feature is throttled.
        vi.setSystemTime(Date.now() + reservationMs);
        restored = restore(name);
        await replaced;
        return { error: "ThrottlingException" };
      }
      return "pass";
    });

    const path = "/api/admin/projects/default/features";
    const creation = burgee.send({ method: "POST", path, json: { name }, remainingMs: 3000 });
    const { status } = await creation;
    hasCreated();
    const { status: restoredStatus } = (await restored) ?? {};

    burgee.wire.reset();
    const { json } = await burgee.getFeature(name);
    const isOn = json.environments.map(({ enabled }: { enabled: boolean }) => enabled);
    expect([status, restoredStatus, isOn]).toEqual([409, 201, [true, false]]);
  });

  it("a restoration takes back the deletion that comes before it has reserved the name", async () => {
    const name = await addCheckout();
    await remove(name);
    const isReservation = ({ operation, input }: Call) =>
      operation === "PutItem" && "reservedBy" in Object(input.Item);
    burgee.wire.beforeFirst(isReservation, async () => {
      expect((await restore(name)).status).toBe(201);
      const red = [add("/red", { weight: 0 })];
      expect((await burgee.patchVariants(name, red, { query: "by=name" })).status).toBe(200);
      expect((await remove(name)).status).toBe(202);
    });

    expect((await restore(name)).status).toBe(201);

    expect(await burgee.names(name)).toContain("red");
  });

  it("a retry of a restoration takes back the deletion that comes while it looks for its own", async () => {
    const name = await addCheckout();
    await remove(name);
    const key = { headers: { "idempotency-key": "restores" } };
    await restore(name, key);
    await burgee.patchVariants(name, [add("/red", { weight: 0 })], { query: "by=name" });
    burgee.wire.reset();
    const isOfDeletions = ({ operation, input }: Call) =>
      operation === "Query" && JSON.stringify(input).includes("DELETED");
    burgee.wire.beforeFirst(isOfDeletions, async () => void (await remove(name)));

    expect((await restore(name, key)).status).toBe(201);

    expect(await burgee.names(name)).toContain("red");
  });

  it("ten deletions are 202 or 404, and leave nothing", async () => {
    const name = await addCheckout();
    const before = await contentOf(name);

    const answers = await Promise.all(times(10, () => remove(name)));

    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(statuses.has(404) ? [202, 404] : [202]);
    const ids = answers.flatMap(({ json }) => json.deletion ?? []);
    expect([...new Set(ids)]).toEqual(await deletionsInHistory(name));
    expect(await partition(name)).toEqual([]);
    await restore(name);
    expect(await contentOf(name)).toEqual(before);
  });

  it("one restoration is a 201, the others are 409", async () => {
    const name = await addCheckout();
    const before = await contentOf(name);
    await remove(name);

    const answers = await Promise.all(times(5, () => restore(name)));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await contentOf(name)).toEqual(before);
  });
});

it("100 large environments are deleted and restored within a request", { timeout: 60_000 }, async () => {
  const names = times(100, (index) => `environment-${index}`);
  const payload = { type: "string" as const, value: "x".repeat(50_000) };
  const environments = Object.fromEntries(names.map((name) => [name, [variant("large", { payload })]]));
  await burgee.store({
    projects: [projectOf("many", ...names)],
    features: [featureOf("large", environments, { project: "many", enabled: true })],
  });
  const startedAt = performance.now();
  const time = { remainingMs: () => 10_000 - (performance.now() - startedAt) };

  expect(await remove("large", time, "many")).toMatchObject({ status: 202 });
  const restored = await restore("large", {}, "many");

  expect([restored.status, restored.json.environments.length]).toEqual([201, 100]);
});

it("a feature that is larger than a response is restored, and the error says so", {
  timeout: 60_000,
}, async () => {
  const names = times(40, (index) => `environment-${index}`);
  const payload = { type: "string" as const, value: "x".repeat(180_000) };
  const environments = Object.fromEntries(names.map((name) => [name, [variant("large", { payload })]]));
  await burgee.store({
    projects: [projectOf("more", ...names)],
    features: [featureOf("larger", environments, { project: "more" })],
  });
  await remove("larger", {}, "more");

  const { status, json } = await restore("larger", {}, "more");

  const message =
    "The request was applied, but its response would be larger than 6 MB; read one environment at a time";
  expect([status, json.code, json.message]).toEqual([400, "applied", message]);
  expect(await burgee.names("larger", "environment-39")).toEqual(["large"]);
});

it("what is stored is replaced only by the feature's own restoration", async () => {
  const name = await addCheckout();
  await remove(name);
  burgee.wire.reset();
  burgee.wire.beforeFirst(isOf("FEATURE"), async () => {
    await burgee.send({ method: "POST", path: "/api/admin/projects/default/features", json: { name } });
    await burgee.patchFeature(name, [replace("/enabled", true)], { environment: "production" });
  });

  expect(await restore(name)).toMatchObject({ status: 409 });

  expect((await partition(name)).filter(isFeatureItem)).toHaveLength(1);
  expect((await burgee.storedEnvironment(name, "production")).enabled).toBe(true);
});
