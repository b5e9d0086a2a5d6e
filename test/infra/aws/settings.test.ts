/** Settings of a stage: what a file gives, what the stack keeps, and what is refused. */
import { expect, it } from "vitest";
import { readSettings } from "../../../infra/aws/settings.ts";
import { findStage } from "../../../infra/aws/stack.ts";
import { runNode } from "../../support/program.ts";
import { newFolder } from "../clients/admin/command-line.ts";

const template = {
  Resources: {},
  Parameters: {
    RateLimit: { Default: 50 },
    EventBusArn: { Default: "" },
    CorsOrigins: { Default: "" },
    Truststore: { Default: "" },
    DefaultAddress: { Default: "true" },
    Bucket: {},
  },
};
const folder = newFolder();
const fileOf = (text: string) => folder.file("own.yml", Buffer.from(text));
const deployed = { RateLimit: "7", EventBusArn: "", Bucket: "bucket" };

it("a stage has the defaults, which are not worth a line", () => {
  expect(readSettings(template)).toMatchObject({
    values: { RateLimit: "50", EventBusArn: "" },
    ...{ notDefault: [], warnings: [], takenAway: [] },
  });
});

it("without a file the stage keeps its settings", () => {
  const { notDefault, warnings } = readSettings(template, deployed);

  expect([notDefault, warnings]).toEqual([["RateLimit is 7, kept by the stage"], []]);
});

it("a file changes the settings that it names, and the stage keeps its others, each named once", () => {
  const file = fileOf(
    "EventBusArn: arn:aws:events:::event-bus/b\nCorsOrigins: [https://a.dev, https://b.dev]",
  );

  expect(readSettings(template, deployed, file)).toMatchObject({
    values: {
      RateLimit: "7",
      EventBusArn: "arn:aws:events:::event-bus/b",
      CorsOrigins: "https://a.dev,https://b.dev",
    },
    notDefault: [
      `EventBusArn is arn:aws:events:::event-bus/b, ${file}`,
      `CorsOrigins is https://a.dev,https://b.dev, ${file}`,
    ],
    warnings: [`${file} lacks RateLimit: the stage keeps 7`],
  });
});

it("a line that was deleted from the file is named, as the stage keeps its value", () => {
  const file = fileOf("EventBusArn: arn:aws:events:::event-bus/b");

  expect(readSettings(template, deployed, file).warnings).toEqual([
    `${file} lacks RateLimit: the stage keeps 7`,
  ]);
});

it("a setting that an older commit does not know is named, as its value is lost", () => {
  expect(readSettings(template, { ...deployed, Newer: "1", Empty: "" }).takenAway).toEqual([
    "the setting Newer (1), which this commit does not know",
  ]);
});

it.each([
  ['Truststore: ""', ["Truststore"]],
  ["DefaultAddress: true", ["DefaultAddress"]],
  ["Truststore: s3://a/c", []],
])("a file with %j takes these protections away: %j", (text, names) => {
  const kept = { ...deployed, Truststore: "s3://a/b", DefaultAddress: "false" };

  const of = names.map((name) => `the protection of ${name}`);
  expect(readSettings(template, kept, fileOf(text)).takenAway).toEqual(of);
});

it.each([
  ["RatLimit: 7", "there is no setting RatLimit, but RateLimit, EventBusArn,"],
  ["Bucket: other", "there is no setting Bucket, but"],
  [
    "RateLimit: { a: 1 }",
    "own.yml cannot be read: RateLimit must be a text, a number, true, false or a list of texts",
  ],
  ["- prod", "own.yml cannot be read: it is no map of settings"],
  ["prod", "own.yml cannot be read: it is no map of settings"],
  ["\tRateLimit: 7", "own.yml cannot be read: Tabs are not allowed"],
])("a file with %j is refused: %s", (text, message) => {
  expect(() => readSettings(template, {}, fileOf(text))).toThrow(message);
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
