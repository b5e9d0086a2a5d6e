/** Refusals, failures and timeouts of the functions under Lambda's own runtime client. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { invalid, patchedTo, refused, tagged, unauthenticated } from "../support/answers.ts";
import { type Burgee, openBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import { deploy, readLog, toResponse } from "./deployed.ts";
import { patchVariants, putTag } from "./requests.ts";
import type { Sandbox } from "./sandbox.ts";

let burgee: Burgee;
let sandbox: Sandbox;
let feature: string;

beforeEach(async () => {
  burgee = await openBurgee();
  feature = await addFeature(burgee);
  sandbox = await deploy(burgee, "tags");
});
afterEach(() => {
  sandbox.close();
  burgee.wire.close();
});

const unavailable = refused(503, "TemporarilyUnavailable", {
  headers: { "retry-after": expect.any(String) },
});

it("an error of the caller is a response, not a failure of the function", async () => {
  const outcomes = [
    await sandbox.invoke(putTag(feature, "team-a", "no-such-key")),
    await sandbox.invoke(putTag(feature, "a")),
  ];

  expect(outcomes.map(toResponse)).toEqual([unauthenticated(), invalid({ details: expect.any(Array) })]);
});

it("an unexpected error is a 500 whose id is in the log, and the next invocation succeeds", async () => {
  burgee.wire.decide(() => ({ error: "ResourceNotFoundException", message: "no such table" }));

  const response = toResponse(await sandbox.invoke(putTag(feature, "team-a")));

  expect(response).toEqual(refused(500, "InternalError"));
  const error = {
    id: response.json.id,
    name: "InternalError",
    cause: expect.stringContaining("no such table"),
  };
  const line = expect.objectContaining({ level: "error", status: 500, error });
  await expect.poll(() => readLog(sandbox)).toEqual([line]);
  burgee.wire.reset();
  const next = await sandbox.invoke(putTag(feature, "team-a"));
  expect(toResponse(next)).toEqual(tagged(feature, [tag("team-a")]));
});

it.each([
  { event: null },
  { event: [] },
  { event: 12 },
  { event: "text" },
  { event: {} },
  { event: { version: "2.0", headers: null, requestContext: null } },
])("responds to an event that is $event", async ({ event }) => {
  const outcome = await sandbox.invoke(event);

  expect(toResponse(outcome).status).toBeGreaterThanOrEqual(400);
  await expect.poll(() => readLog(sandbox)).toHaveLength(1);
});

it("returns 503 before the deadline when the database does not respond", async () => {
  burgee.wire.decide(() => new Promise(() => {}));

  const outcome = await sandbox.invoke(putTag(feature, "team-a"), { timeoutMs: 1500 });

  expect(toResponse(outcome)).toEqual(unavailable);
});

it("returns 503 at once when the deadline has nearly passed", async () => {
  const outcome = await sandbox.invoke(putTag(feature, "team-a"), { timeoutMs: 250 });

  expect(toResponse(outcome)).toEqual(unavailable);
  expect(burgee.wire.calls).toEqual([]);
});

it("a hanging sandbox is ended; the next one has a new process, and nothing is lost", async () => {
  const blue = add("/-", { name: "blue", weight: 0 });
  const green = add("/-", { name: "green", weight: 0 });
  sandbox.close();
  sandbox = await deploy(burgee, "variants");
  burgee.wire.decide(({ operation, input }) => {
    if (operation === "UpdateItem" && JSON.stringify(input).includes("production")) sandbox.freeze();
    return "pass";
  });

  const hung = await sandbox.invoke(patchVariants(feature, [blue]), { timeoutMs: 2000 });

  expect(hung).toEqual({ end: "timeout" });
  burgee.wire.reset();
  const next = await sandbox.invoke(patchVariants(feature, [green]));
  const both = [variant("blue", { weight: 500 }), variant("green", { weight: 500 })];
  expect(toResponse(next)).toEqual(patchedTo(both));
  expect((await burgee.storedEnvironment(feature, "production")).variants).toEqual(both);
  await expect.poll(() => readLog(sandbox)).toEqual([expect.objectContaining({ coldStart: true })]);
});

it("a missing setting is reported while the sandbox starts", async () => {
  sandbox.close();
  sandbox = await deploy(burgee, "tags", { TABLE_NAME: undefined });

  const outcome = await sandbox.invoke(putTag(feature, "team-a"));

  const errorMessage = "TABLE_NAME is not set: the name of the DynamoDB table";
  expect(outcome).toEqual({ end: "init error", payload: expect.objectContaining({ errorMessage }) });
});
