/** `POST .../features`: a new feature, off everywhere. */

import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, it } from "vitest";
import { projectItem } from "../../../infra/store/key-and-project-items.ts";
import { minRoundMs } from "../../../lib/clock.ts";
import {
  environmentTableKey,
  featureTableKey,
  projectTableKey,
  type TableKey,
} from "../../../lib/store/items/items.ts";
import { reservationItem } from "../../../lib/store/items/new-items.ts";
import { everyAnswer, invalid, noAccess, notFound, refused } from "../../support/answers.ts";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { add, replace } from "../../support/patching.ts";
import { featureOf, projectOf, tag } from "../../support/seed.ts";
import { type Call, type Fate, isPutOfFeature, isUpdate } from "../../support/wire.ts";

const burgee = useBurgee({
  projects: [
    projectOf("default", "development", "production"),
    projectOf("other", "production"),
    projectOf("growing", "a", "b"),
    projectOf("leaving", "a"),
    projectOf("busy", "a"),
  ],
  features: [featureOf("there", { development: [], production: [] })],
});

const path = (project = "default") => `/api/admin/projects/${project}/features`;
const create = (json: unknown, options: Partial<Request> = {}) =>
  burgee.send({ method: "POST", path: path(), json, ...options });
const retried = (key: string) => ({ headers: { "idempotency-key": key } });
/** The second page of a query, or the second read of an environment. */
const isLater = ({ operation, input, attempt }: Call) =>
  (operation === "Query" && "ExclusiveStartKey" in input) ||
  (operation === "GetItem" && attempt === 2 && JSON.stringify(input).includes("ENVIRONMENT#"));

it("responds with the feature as GET has it: off everywhere, without variants, strategies and tags", async () => {
  const created = await create({ name: "new" });

  const { json, headers } = await burgee.getFeature("new");
  const location = `${path()}/new`;
  expect(created).toEqual({ status: 201, headers: { ...everyAnswer, etag: headers.etag, location }, json });
  const environments = ["development", "production"].map((environment) => ({
    environment,
    enabled: false,
    variants: [],
    strategies: [],
    etag: expect.any(String),
  }));
  expect(json).toEqual({ version: 1, name: "new", project: "default", tags: [], environments });
  expect(await burgee.patchVariants("new", [add("/-", { name: "blue", weight: 0 })])).toMatchObject({
    status: 200,
  });
});

it("accepts what Unleash's clients send, and drops it", async () => {
  const more = { description: "d", type: "release", impressionData: true, project: "default", stale: false };

  expect(await create({ name: "from-unleash", ...more })).toMatchObject({ status: 201 });
});

it.each([
  [{}],
  [{ name: "a/b" }],
  [{ name: ".." }],
  [{ name: "x".repeat(101) }],
  [{ name: "" }],
  [{ name: "a", tags: [{ type: "simple", value: "x" }] }],
  [{ name: "a", enabled: true }],
  [[]],
])("refuses %j with 400, and writes nothing", async (body) => {
  expect(await create(body)).toEqual(invalid({ details: expect.any(Array) }));
  expect(burgee.writes()).toEqual([]);
});

describe("a feature that exists is a 409", () => {
  it("in the project, which the message names", async () => {
    const message = 'The feature "there" already exists, in project "default"';

    expect(await create({ name: "there" })).toEqual(
      refused(409, "ConflictError", { code: "exists", message }),
    );
    expect(burgee.writes()).toEqual([]);
  });

  it("in another project, which the message does not name", async () => {
    const { status, json } = await create({ name: "there" }, { path: path("other") });

    expect([status, json.message]).toEqual([
      409,
      'The feature "there" already exists in another project: names are unique',
    ]);
  });

  it("for all but one of ten requests at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: "contested" })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await burgee.getFeature("contested")).toMatchObject({ status: 200 });
  });
});

it("there is no such project: 404", async () => {
  expect(await create({ name: "lost" }, { path: path("none") })).toEqual(notFound());
});

it("needs the permission in the project, whatever else the key may do there", async () => {
  const key = await burgee.keyWith(
    { permission: "UPDATE_FEATURE" },
    { permission: "CREATE_FEATURE", project: "other" },
  );

  const message = 'The API key lacks the permission CREATE_FEATURE in project "default"';
  expect(await create({ name: "denied" }, { key })).toEqual(noAccess({ message }));
  expect(await create({ name: "allowed" }, { key, path: path("other") })).toMatchObject({ status: 201 });
});

it("names the methods of the path where another is used", async () => {
  const { status, headers } = await burgee.send({ method: "DELETE", path: path() });

  expect([status, headers.allow]).toEqual([405, "GET, HEAD, POST"]);
});

describe("a retry with the same Idempotency-Key", () => {
  it("returns 201 with the feature as it is by then, and writes nothing", async () => {
    await create({ name: "retried" }, retried("a"));
    await burgee.putTags("retried", { addedTags: [tag("since")], removedTags: [] });
    burgee.wire.reset();

    const again = await create({ name: "retried", description: "other" }, retried("a"));

    expect(again).toMatchObject({ status: 201, json: { tags: [tag("since")] } });
    expect(burgee.writes()).toEqual([]);
  });

  it("finds the feature also after more tag updates than it keeps the ids of", async () => {
    await create({ name: "old" }, retried("o"));
    for (let count = 0; count < 22; count++) {
      await burgee.putTags("old", { addedTags: [tag(`t${count}`)], removedTags: [] });
    }

    expect(await create({ name: "old" }, retried("o"))).toMatchObject({ status: 201 });
  });

  it("of another caller is a 409, as is one without a key", async () => {
    await create({ name: "hers" }, retried("b"));
    const key = await burgee.keyWith({ permission: "ADMIN" });

    expect(await create({ name: "hers" }, { ...retried("b"), key })).toMatchObject({ status: 409 });
    expect(await create({ name: "hers" })).toMatchObject({ status: 409 });
  });

  it("for another name creates another feature", async () => {
    await create({ name: "first" }, retried("c"));

    expect(await create({ name: "second" }, retried("c"))).toMatchObject({ status: 201 });
  });

  it("completes a creation that ended halfway, of which nothing can be found", async () => {
    burgee.wire.decide((call) => (isPutOfFeature(call) ? { error: "AccessDeniedException" } : "pass"));
    expect(await create({ name: "half" }, retried("d"))).toMatchObject({ status: 503 });
    burgee.wire.reset();
    expect(await burgee.getFeature("half")).toEqual(notFound());

    expect(await create({ name: "half" }, retried("d"))).toMatchObject({ status: 201 });
  });
});

it("a creation whose response from the table is lost is acknowledged", async () => {
  let isLost = false;
  burgee.wire.decide((call) => {
    if (isLost || !isPutOfFeature(call)) return "pass";
    isLost = true;
    return "lose the answer";
  });

  expect(await create({ name: "unheard" })).toMatchObject({ status: 201 });
});

it.each(["and while there is time", "and at the deadline"])(
  "a creation is acknowledged if its tags are updated before its lost put is sent again: %s",
  async (when) => {
    const name = `updated-${when.slice(-4)}`;
    let isLost = false;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (!isPutOfFeature(call)) return "pass";
      if (!isLost) {
        isLost = true;
        return "lose the answer";
      }
      await burgee.putTags(name, { addedTags: [tag("since")], removedTags: [] });
      return "pass";
    });

    const remainingMs = when.endsWith("time") ? 10_000 : 900;
    expect(await create({ name }, { remainingMs })).toMatchObject({
      status: 201,
      json: { tags: [tag("since")] },
    });
  },
);

describe("a creation is a 503 that says that its outcome is not known, if the database fails", () => {
  const unavailable: Fate = { error: "InternalServerError", status: 500 };
  const unknown = { status: 503, json: { code: "outcome-unknown" } };

  it.each([
    ["the response to the last write was lost", "lose the answer"],
    ["a proxy has sent the last write twice", "repeat"],
  ] as const)("after %s, so that it cannot be looked up", async (_, fate) => {
    let isSent = false;
    burgee.wire.decide((call) => {
      if (isSent) return isPutOfFeature(call) ? "pass" : unavailable;
      isSent = isPutOfFeature(call);
      return isSent ? fate : "pass";
    });

    const name = `unseen-${fate.slice(0, 4)}`;
    expect(await create({ name }, { remainingMs: 1500 })).toMatchObject(unknown);
    burgee.wire.reset();
    expect(await burgee.getFeature(name)).toMatchObject({ status: 200 });
  });

  it("in the round after a lost response, if its tags were updated before its put was sent again", async () => {
    let step: "creates" | "lost" | "failing" = "creates";
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (step === "failing" && call.operation !== "GetItem") return unavailable;
      if (step === "failing" && JSON.stringify(call.input).includes("PROJECT")) return unavailable;
      if (!isPutOfFeature(call)) return "pass";
      const isLost = step === "creates";
      if (!isLost) await burgee.putTags("doubted", { addedTags: [tag("since")], removedTags: [] });
      step = isLost ? "lost" : "failing";
      return isLost ? "lose the answer" : "pass";
    });

    expect(await create({ name: "doubted" }, { remainingMs: 1500 })).toMatchObject(unknown);
    burgee.wire.reset();
    expect(await burgee.getFeature("doubted")).toMatchObject({ status: 200 });
  });

  it("after the last write, when the environments of the project are read again", async () => {
    let isStored = false;
    burgee.wire.decide((call) => {
      if (isStored) return unavailable;
      isStored = isPutOfFeature(call);
      return "pass";
    });

    expect(await create({ name: "stored" }, { remainingMs: 1500 })).toMatchObject(unknown);
    burgee.wire.reset();
    expect(await burgee.getFeature("stored")).toMatchObject({ status: 200 });
  });
});

it("says that the feature is stored if its project is removed before the project is read again", async () => {
  let step: "creates" | "created" | "removed" = "creates";
  burgee.wire.decide(async (call) => {
    if (step === "created" && JSON.stringify(call.input).includes('"PROJECT"')) {
      step = "removed";
      await burgee.remove(projectTableKey("leaving"));
    }
    if (isPutOfFeature(call)) step = "created";
    return "pass" as const;
  });

  expect(await create({ name: "left-behind" }, { path: path("leaving") })).toMatchObject({
    status: 404,
    json: { code: "outcome-unknown" },
  });
});

it("says so too if a new environment of the project meets write conflicts until the deadline, and its retry adds the environment", async () => {
  let isCreated = false;
  let remainingMs = 10_000;
  burgee.wire.decide(async (call) => {
    const input = JSON.stringify(call.input);
    if (isCreated && call.operation === "PutItem" && input.includes("ENVIRONMENT#late")) {
      remainingMs = minRoundMs - 1;
      return { error: "ConditionalCheckFailedException" };
    }
    if (isPutOfFeature(call)) {
      isCreated = true;
      const { session } = burgee;
      const Item = projectItem("busy", ["a", "late"]);
      await session.call(new PutCommand({ TableName: session.table, Item }));
    }
    return "pass";
  });

  const options = { path: path("busy"), ...retried("h") };
  expect(await create({ name: "hurried" }, { ...options, remainingMs: () => remainingMs })).toMatchObject({
    status: 409,
    json: {
      code: "outcome-unknown",
      message:
        "The feature was changed concurrently; the feature is stored, perhaps without some of its environments",
    },
  });

  burgee.wire.reset();
  const { status, json } = await create({ name: "hurried" }, options);
  const names = json.environments.map(({ environment }: { environment: string }) => environment);
  expect([status, names]).toEqual([201, ["a", "late"]]);
});

it("adds the environment that a parallel attempt, which has stored the feature first, did not know", async () => {
  await burgee.put(projectItem("gaining", ["a", "late"]));
  let isStored = false;
  burgee.wire.decide(async (call): Promise<Fate> => {
    if (isStored || !isPutOfFeature(call)) return "pass";
    isStored = true;
    // That attempt had read the project before it got the environment, and was killed after its put.
    const item = unmarshall(call.input.Item as Parameters<typeof unmarshall>[0]) as TableKey;
    await burgee.put({ ...item, uid: "of-the-other", environments: ["a"] } as TableKey);
    return "pass";
  });

  const { status, json } = await create({ name: "gained" }, { path: path("gaining"), ...retried("p") });

  const names = json.environments.map(({ environment }: { environment: string }) => environment);
  expect([status, names]).toEqual([201, ["a", "late"]]);
});

it("leaves the environments as they are if a parallel attempt stores the feature while it has still to write", async () => {
  const attempt = () => create({ name: "twice" }, retried("t"));
  let goOn = () => {};
  const slowHasRead = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let slow: ReturnType<typeof attempt> | undefined;
  burgee.wire.decide(async (call): Promise<Fate> => {
    if (slow && call.operation === "PutItem") {
      goOn();
      await fast;
    } else if (isPutOfFeature(call)) {
      slow = attempt();
      await slowHasRead;
    }
    return "pass";
  });
  const fast = attempt();
  const created = await fast;

  expect(await slow).toEqual(created);
  expect((await burgee.getFeature("twice")).json).toEqual(created.json);
});

it("adds no environment to another feature, which was created in another project since", async () => {
  await burgee.put(projectItem("grown", ["a", "b"]));
  let step: "creates" | "created" | "replaced" = "creates";
  burgee.wire.decide(async (call) => {
    if (step === "created" && JSON.stringify(call.input).includes('"PROJECT"')) {
      step = "replaced";
      await burgee.remove(featureTableKey("taken"));
      for (const environment of ["a", "b"]) await burgee.remove(environmentTableKey("taken", environment));
      await create({ name: "taken" });
      await burgee.put(projectItem("grown", ["a", "b", "c"]));
    }
    if (step === "creates" && isPutOfFeature(call)) step = "created";
    return "pass" as const;
  });

  expect(await create({ name: "taken" }, { path: path("grown") })).toMatchObject({
    status: 404,
    json: { code: "applied" },
  });

  burgee.wire.reset();
  const { status, json } = await burgee.getFeature("taken");
  const names = json.environments.map(({ environment }: { environment: string }) => environment);
  expect([status, names]).toEqual([200, ["development", "production"]]);
});

it("a feature that is deleted while it gets a new environment of the project is not created again", async () => {
  let step: "creates" | "created" | "deleted" = "creates";
  burgee.wire.decide(async (call) => {
    if (step === "created" && JSON.stringify(call.input).includes('"PROJECT"')) {
      step = "deleted";
      await burgee.remove(featureTableKey("fleeting"));
      for (const environment of ["a", "b"]) await burgee.remove(environmentTableKey("fleeting", environment));
      await burgee.put(projectItem("growing", ["a", "b", "c"]));
    }
    if (isPutOfFeature(call)) step = "created";
    return "pass" as const;
  });

  const created = await create({ name: "fleeting" }, { path: path("growing") });

  expect(created).toMatchObject({ status: 404, json: { code: "applied" } });
  burgee.wire.reset();
  expect(await burgee.getFeature("fleeting", { path: `${path("growing")}/fleeting` })).toEqual(notFound());
});

it.each([
  ["in every environment", {}],
  ["in the one that was written last", { environment: "development" }],
])(
  "a patch %s sees a creation whole, though its read had passed the place of an environment",
  async (_, place) => {
    const name = `seen${Object.keys(place)}`;
    await create({ name });
    const late = await burgee.storedEnvironment(name, "development");
    await burgee.remove(environmentTableKey(name, "development"));
    burgee.wire.reset();
    burgee.wire.pageItems = 1;
    burgee.wire.beforeFirst(isLater, async () => {
      const { session } = burgee;
      await session.call(new PutCommand({ TableName: session.table, Item: late }));
    });

    const { json } = await burgee.patchFeature(name, [replace("/enabled", true)], place);

    expect(json.environments.map(({ environment }: { environment: string }) => environment)).toEqual(
      Object.values(place).length > 0 ? ["development"] : ["development", "production"],
    );
  },
);

it("what another creation has left is replaced once its reservation is old", async () => {
  await create({ name: "left" }, retried("e"));
  for (const environment of ["development", "production"]) {
    const stored = { ...(await burgee.storedEnvironment("left", environment)), enabled: true };
    await burgee.put(stored);
  }
  const reservedBy = { id: "other", at: "2026-01-31T12:00:00.000Z" };
  const reservation = { ...reservationItem("left", "other"), reservedBy };
  await burgee.put(reservation);

  expect(await create({ name: "left" })).toMatchObject({
    status: 201,
    json: { environments: [{ enabled: false }, { enabled: false }] },
  });
});

it("another creation that has not ended in time: 409, in words for callers of the API", async () => {
  await burgee.put(reservationItem("busy", "other"));
  let remainingMs = 10_000;
  burgee.wire.decide(({ operation }) => {
    // Of the reads, the feature's is the only query.
    if (operation === "Query") remainingMs = minRoundMs - 1;
    return "pass";
  });

  const message = 'The feature "busy" was changed concurrently; retry';
  expect(await create({ name: "busy" }, { remainingMs: () => remainingMs })).toEqual(
    refused(409, "ConflictError", { code: "gave-up", message }),
  );
});

describe("a name that a creation has reserved is of no feature yet", () => {
  it.each<[string, (name: string) => Promise<unknown>]>([
    ["a read", (name) => burgee.getFeature(name)],
    ["a read of its tags", (name) => burgee.getTags(name)],
    ["an update of its tags", (name) => burgee.putTags(name, { addedTags: [tag("q4")], removedTags: [] })],
    ["a patch", (name) => burgee.patchVariants(name, [add("/-", { name: "blue", weight: 0 })])],
    ["a deletion", (name) => burgee.send({ method: "DELETE", path: `${path()}/${name}` })],
  ])("for %s", async (what, request) => {
    const name = what.replaceAll(" ", "-");
    await burgee.put(reservationItem(name, "other"));

    expect(await request(name)).toEqual(notFound());
  });

  it("also for an update of tags that has read the feature before it was deleted", async () => {
    await create({ name: "gone" });
    burgee.wire.beforeFirst(isUpdate, () => burgee.put(reservationItem("gone", "other")));

    expect(await burgee.putTags("gone", { addedTags: [tag("q4")], removedTags: [] })).toMatchObject({
      status: 404,
    });
  });
});

it("a creation that cannot be read: message and code say that the feature was created", async () => {
  let isCreated = false;
  burgee.wire.decide((call) => {
    if (isCreated && call.operation === "Query") return { error: "AccessDeniedException" };
    isCreated ||= isPutOfFeature(call);
    return "pass";
  });

  const { status, json } = await create({ name: "unread" });

  expect([status, json.code, json.message]).toEqual([
    503,
    "applied",
    'The feature "unread" was created, but could not be read: The database is temporarily unavailable',
  ]);
  burgee.wire.reset();
  expect(await burgee.getFeature("unread")).toMatchObject({ status: 200 });
});
