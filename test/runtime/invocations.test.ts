/** Cold and warm invocations under Lambda's own runtime client, and one after a pause. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { patchedTo, tagged } from "../support/answers.ts";
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
});
afterEach(() => {
  sandbox.close();
  burgee.wire.close();
});

const operations = () => burgee.wire.calls.map(({ operation }) => operation);

it("a cold invocation looks up the key, responds, and logs one line of JSON", async () => {
  sandbox = await deploy(burgee, "tags");
  const event = putTag(feature, "team-a");

  const outcome = await sandbox.invoke(event);

  expect(toResponse(outcome)).toEqual(tagged(feature, [tag("team-a")]));
  expect(operations()).toEqual(["GetItem", "UpdateItem"]);
  const { requestId } = event.requestContext;
  const line = expect.objectContaining({ level: "info", requestId, coldStart: true, status: 201 });
  await expect.poll(() => readLog(sandbox)).toEqual([line]);
  expect(sandbox.errors).toEqual([]);
});

it("a warm invocation uses the same process, which has cached the key", async () => {
  sandbox = await deploy(burgee, "tags");
  await sandbox.invoke(putTag(feature, "team-a"));
  const pid = sandbox.pid();
  burgee.wire.reset();

  const outcome = await sandbox.invoke(putTag(feature, "team-b"));

  expect(toResponse(outcome)).toEqual(tagged(feature, [tag("team-a"), tag("team-b")]));
  expect(operations()).toEqual(["UpdateItem"]);
  expect(sandbox.pid()).toBe(pid);
  await expect.poll(() => readLog(sandbox).map(({ coldStart }) => coldStart)).toEqual([true, false]);
});

it("an invocation after a pause succeeds although the database has closed the connections", async () => {
  sandbox = await deploy(burgee, "tags");
  await sandbox.invoke(putTag(feature, "team-a"));
  // Node's server closes a connection that was idle for 5 seconds; a frozen sandbox does not notice.
  await new Promise((resolve) => setTimeout(resolve, 7000));

  const outcome = await sandbox.invoke(putTag(feature, "team-b"));

  expect(toResponse(outcome)).toEqual(tagged(feature, [tag("team-a"), tag("team-b")]));
});

it("decodes a body in base64, as API Gateway delivers a JSON Patch", async () => {
  sandbox = await deploy(burgee, "variants");
  const blue = variant("blue", { stickiness: "Häfen ⚓ 🚩" });
  const event = patchVariants(feature, [add("/-", { ...blue })], "application/json-patch+json");
  expect(event.isBase64Encoded).toBe(true);

  const outcome = await sandbox.invoke(event);

  expect(toResponse(outcome)).toEqual(patchedTo([blue]));
});
