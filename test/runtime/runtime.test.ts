/** The functions under Lambda's own runtime client: cold and warm, after a pause, and when something fails. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterEach, beforeEach, expect, it } from "vitest";
import { patchedTo, refused, tagged } from "../support/answers.ts";
import { type Burgee, eventOf, openBurgee, tagsPath, variantsPath } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import { openSandbox, type Sandbox, toResponse } from "./sandbox.ts";

let burgee: Burgee;
let sandbox: Sandbox;
let feature: string;

beforeEach(async () => {
  burgee = await openBurgee({}, {}, { byAddress: true });
  feature = await addFeature(burgee);
  sandbox = await openSandbox(burgee, "tags");
});
afterEach(() => {
  sandbox.close();
  burgee.wire.close();
});

function putTag(value: string, rest: object = {}): APIGatewayProxyEventV2 {
  const json = { addedTags: [tag(value)], removedTags: [] };
  return eventOf({ method: "PUT", path: tagsPath(feature), json, ...rest });
}

function addVariant(name: string, stickiness = "default") {
  const json = [add("/-", { name, weight: 0, stickiness })];
  // The gateway delivers such a body in base64.
  const headers = { "content-type": "application/json-patch+json" };
  return eventOf({ method: "PATCH", path: variantsPath(feature), json, headers });
}

const operations = () => burgee.wire.calls.map(({ operation }) => operation);
/** Every line that the function printed, all of which must be JSON. */
const logged = () => expect.poll(() => sandbox.lines.map((line) => JSON.parse(line)));

it("a cold invocation warms up and looks up the key, a warm one has cached it; each logs one line of JSON", async () => {
  const cold = await sandbox.invoke(putTag("team-a"));
  const pid = sandbox.pid();
  const warm = await sandbox.invoke(putTag("team-b"));

  expect(toResponse(cold)).toEqual(tagged(feature, [tag("team-a")]));
  expect(toResponse(warm)).toEqual(tagged(feature, [tag("team-a"), tag("team-b")]));
  // The warm-up, the key, and the feature before each write.
  const [get, update] = ["GetItem", "UpdateItem"];
  expect(operations()).toEqual([get, get, get, update, get, update]);
  expect(sandbox.pid()).toBe(pid);
  await logged().toMatchObject([
    { level: "info", coldStart: true, status: 201 },
    { level: "info", coldStart: false, status: 201 },
  ]);
});

it("an invocation after a pause succeeds although the database has closed the connections", async () => {
  await sandbox.invoke(putTag("team-a"));
  // Node's server closes a connection that was idle for 5 seconds; a frozen sandbox does not notice.
  await new Promise((resolve) => setTimeout(resolve, 7000));

  expect(toResponse(await sandbox.invoke(putTag("team-b"))).status).toBe(201);
});

it("returns 503 before the deadline when the database does not respond", async () => {
  burgee.wire.decide(() => new Promise(() => {}));

  expect(toResponse(await sandbox.invoke(putTag("team-a"), 1500))).toEqual(
    refused(503, "TemporarilyUnavailable", { headers: { "retry-after": expect.any(String) } }),
  );
});

it("a hanging sandbox is ended; the next one has a new process, and nothing is lost", async () => {
  sandbox.close();
  sandbox = await openSandbox(burgee, "variants");
  burgee.wire.decide(({ operation, input }) => {
    if (operation === "UpdateItem" && JSON.stringify(input).includes("production")) sandbox.freeze();
    return "pass";
  });

  const hung = await sandbox.invoke(addVariant("blue"), 2000);
  burgee.wire.reset();
  const next = await sandbox.invoke(addVariant("green", "Häfen ⚓ 🚩"));

  expect(hung).toBeUndefined();
  const green = variant("green", { weight: 500, stickiness: "Häfen ⚓ 🚩" });
  expect(toResponse(next)).toEqual(patchedTo([variant("blue", { weight: 500 }), green]));
  await logged().toMatchObject([{ coldStart: true }]);
});

it("a missing setting is reported while the sandbox starts", async () => {
  sandbox.close();
  sandbox = await openSandbox(burgee, "tags", {});

  expect(await sandbox.invoke(putTag("team-a"))).toMatchObject({
    errorMessage: "TABLE_NAME is not set: the name of the DynamoDB table",
  });
});
