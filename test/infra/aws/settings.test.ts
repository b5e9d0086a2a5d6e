/** Settings of a stage: what a file and the stack override, and what is refused. */
import { expect, it } from "vitest";
import { findStage } from "../../../infra/aws/plan.ts";
import { readSettings } from "../../../infra/aws/settings.ts";
import openapi from "../../../infra/reference/openapi.json" with { type: "json" };
import { runNode } from "../../support/program.ts";
import { newFolder } from "../admin/command-line.ts";

/** The settings of an operator's own. */
const own = (text: string) => newFolder().file("own.yml", Buffer.from(text));

/** Of requests to the API. */
const optionalHeaders = Object.values(openapi.components.parameters)
  .filter((parameter) => parameter.in === "header")
  .map(({ name }) => name);

const alarmTopic = { kind: "email", address: "ops@flags.dev" };

it.each(["prod", "staging", "dev"])("%s is a stage of the project, with no settings of its own", (stage) => {
  expect(readSettings(stage)).toMatchObject({ own: {}, changed: [] });
});

it("a file of one's own overrides settings one by one, and can add a stage, which is like prod", () => {
  const file = own(
    `prod: { maxWriteUnits: 7, events: { to: bus }, cors: { allowedOrigins: ["http://127.0.0.1:3000"] } }
eu: { maxReadUnits: 5, table: burgee-eu-x }`,
  );
  const { events } = readSettings("prod").settings;

  expect(readSettings("prod", file)).toMatchObject({
    settings: {
      maxReadUnits: 1000,
      maxWriteUnits: 7,
      events: { ...events, to: "bus" },
      // The page at that address needs them.
      cors: {
        allowedHeaders: expect.arrayContaining(["Authorization", "Content-Type", ...optionalHeaders]),
        exposedResponseHeaders: expect.arrayContaining(["ETag", "Burgee-Change", "Burgee-Hint"]),
      },
    },
    changed: ["maxWriteUnits", "events", "cors"],
  });
  expect(readSettings("eu", file).settings).toMatchObject({
    ...{ maxReadUnits: 5, maxWriteUnits: 1500, keepTable: true, table: "burgee-eu-x" },
  });
});

it.each([
  ["without a file", undefined, 5, ["maxReadUnits", "alarmTopic"], []],
  ["with a file of another stage", "dev: { maxReadUnits: 3 }", 5, ["maxReadUnits", "alarmTopic"], []],
  [
    "with a file that has the same",
    "prod: { alarmTopic: { address: ops@flags.dev, kind: email } }",
    ...[5, ["maxReadUnits", "alarmTopic"], []],
  ],
  [
    "with a file of other settings",
    "prod: { rateLimit: 7 }",
    5,
    ["maxReadUnits", "rateLimit", "alarmTopic"],
    ["rateLimit"],
  ],
  [
    "but for those in a file",
    "prod: { maxReadUnits: 9 }",
    9,
    ["maxReadUnits", "alarmTopic"],
    ["maxReadUnits"],
  ],
  [
    "unless a file goes back to the project's",
    "prod: { maxReadUnits: 1000 }",
    1000,
    ["alarmTopic"],
    ["maxReadUnits"],
  ],
] as const)("a deployed stage keeps its own settings %s", (_, text, maxReadUnits, names, changed) => {
  const found = readSettings("prod", text && own(text), { maxReadUnits: 5, alarmTopic });

  expect(found).toMatchObject({ settings: { maxReadUnits, alarmTopic }, changed });
  expect(Object.keys(found.own)).toEqual(names);
});

it("a setting that the stack keeps and this version no longer has is left out", () => {
  expect(readSettings("prod", undefined, { tracing: "Active", rateLimit: 7 }).own).toEqual({ rateLimit: 7 });
});

it("a stage that only its stack knows is like prod", () => {
  expect(readSettings("eu", undefined, {}).settings).toEqual(readSettings("prod").settings);
});

it.each([
  [
    "prod: { dashboard: yes }",
    "prod",
    "the settings of prod are wrong:\n  /dashboard is not a known setting",
  ],
  [
    "prod: { domain: { kind: custom, name: flags.example.com } }",
    "prod",
    "/domain/certificateArn is required",
  ],
  [
    "prod: { table: other, events: { to: bus, busArn: 'arn:x', streamArn: { 'Fn::GetAtt': [Table, StreamArn] } } }",
    "prod",
    "/events would be those of the stack's own table: set streamArn",
  ],
  [
    "prod: { domain: { kind: custom, name: flags.dev, certificateArn: 'arn:x', defaultAddress: true, truststore: 's3://a/b' } }",
    "prod",
    "/domain/defaultAddress must be false with a truststore",
  ],
  ["eu: {}", "production", "there are prod, staging, dev, eu"],
  ["prod:", "prod", "own.yml: the stage prod must be a map of settings"],
  ["- prod", "prod", "own.yml: stages must be a map of settings"],
  ["prod", "prod", "own.yml: stages must be a map of settings"],
  ["prod: { cors: { allowedOrigins: 'http://a' } }", "prod", "/cors/allowedOrigins must be a list"],
  [
    "prod: { cors: { alowedOrigins: [] } }",
    "prod",
    '/cors/alowedOrigins is not a known setting (did you mean "allowedOrigins"?)',
  ],
  ["prod: { cors: true }", "prod", "/cors must be false, or must be an object"],
  ["prod: { monitorng: true }", "prod", '/monitorng is not a known setting (did you mean "monitoring"?)'],
  ["prod: { alarmTopic: { kind: sms } }", "prod", "/alarmTopic/kind must be one of none, email, existing"],
  ["prod: { rateLimit: 0 }", "prod", "/rateLimit must be 1 or more"],
  ["prod: { table: '' }", "prod", "/table must not be empty"],
  ["\tprod: {}", "prod", "own.yml cannot be read: Tabs are not allowed"],
])("a file with %j is refused for the stage %s: %s", (text, stage, message) => {
  expect(() => readSettings(stage, own(text))).toThrow(message);
});

it("the name of a stage has lower-case letters and digits only, as its policies are for a prefix", async () => {
  await expect(findStage("prod-eu", "us-east-1")).rejects.toThrow(
    "needs a name of lower-case letters and digits",
  );
});

it.each([
  ["deploy", "required option '--stage <name>' not specified"],
  ["depoly", "unknown command 'depoly'\n(Did you mean deploy?)"],
])("the command %s is wrong usage, as in the other tools", async (given, message) => {
  expect(await runNode(["dist/tools/deploy.mjs", given])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining(`burgee: ${message}\n`),
  });
});
