/** Settings of a stage: files that change some, and what is refused. */
import { expect, it } from "vitest";
import { findStage } from "../../../infra/aws/settings.ts";
import { runNode } from "../../support/program.ts";
import { newFolder } from "../admin/command-line.ts";

/** The settings of an operator's own. */
const own = (text: string) => newFolder().file("own.yml", Buffer.from(text));

it.each(["prod", "staging", "dev"])("%s is a stack of its own in the region of its settings", (stage) => {
  expect(findStage({ stage })).toMatchObject({ name: stage, stack: `burgee-${stage}`, region: "us-east-1" });
});

it("--region takes precedence", () => {
  expect(findStage({ stage: "prod", region: "eu-central-1" })).toMatchObject({ region: "eu-central-1" });
});

it("a file of one's own overrides settings one by one, and can add a stage like another", () => {
  const settings = own(
    `prod: { region: eu-west-1, events: { to: bus }, cors: { allowedOrigins: ["http://127.0.0.1:3000"] } }
eu: { like: prod, maxReadUnits: 5, table: burgee-eu-x }`,
  );
  const { events } = findStage({ stage: "prod" }).settings;

  expect(findStage({ stage: "prod", settings }).settings).toMatchObject({
    region: "eu-west-1",
    maxReadUnits: 1000,
    events: { ...events, to: "bus" },
    // The page at that address needs them.
    cors: {
      allowedHeaders: expect.arrayContaining(["If-Match", "Idempotency-Key"]),
      exposedResponseHeaders: expect.arrayContaining(["ETag", "Burgee-Change"]),
    },
  });
  expect(findStage({ stage: "eu", settings }).settings).toMatchObject({
    ...{ region: "us-east-1", maxReadUnits: 5, keepTable: true, table: "burgee-eu-x" },
  });
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
  ["eu: { like: dev }", "production", "there are prod, staging, dev, eu"],
  [
    "eu: { region: eu-west-1 }",
    "eu",
    'infra/aws/settings.yml has no stage eu; of a new stage "like" must name one that it has',
  ],
  ["prod-eu: { like: prod }", "prod-eu", "needs a name of lower-case letters and digits only"],
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
  ["prod: { monitorng: none }", "prod", '/monitorng is not a known setting (did you mean "monitoring"?)'],
  ["prod: { alarmTopic: { kind: sms } }", "prod", "/alarmTopic/kind must be one of none, email, existing"],
  ["prod: { rateLimit: 0 }", "prod", "/rateLimit must be 1 or more"],
  ["prod: { table: '' }", "prod", "/table must not be empty"],
  ["\tprod: {}", "prod", "own.yml cannot be read: Tabs are not allowed"],
])("a file with %j is refused for the stage %s: %s", (text, stage, message) => {
  expect(() => findStage({ stage, settings: own(text) })).toThrow(message);
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
