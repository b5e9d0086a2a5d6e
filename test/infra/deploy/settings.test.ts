import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { findStage } from "../../../infra/deploy/settings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));

/** The settings of an operator's own. */
function own(text: string): string {
  const file = path.join(folder, "own.yml");
  writeFileSync(file, text);
  return file;
}

it.each(["prod", "staging", "dev"])("%s is a stack of its own in the region of its settings", (stage) => {
  expect(findStage({ stage })).toMatchObject({ name: stage, stack: `burgee-${stage}`, region: "us-east-1" });
});

it("--region takes precedence", () => {
  expect(findStage({ stage: "prod", region: "eu-central-1" })).toMatchObject({ region: "eu-central-1" });
});

it.each(["production", "Prod", "constructor"])("stage %j is refused, naming the stages", (stage) => {
  const message = `there is no stage "${stage}" in infra/settings.yml: there are prod, staging, dev`;

  expect(() => findStage({ stage })).toThrow(message);
});

it("a file of one's own overrides settings one by one, and can add a stage like another", () => {
  const settings = own(
    "prod: { region: eu-west-1 }\neu: { like: prod, maxReadUnits: 5, table: burgee-eu-x }",
  );

  expect(findStage({ stage: "prod", settings }).settings).toMatchObject({
    region: "eu-west-1",
    maxReadUnits: 1000,
  });
  expect(findStage({ stage: "eu", settings }).settings).toMatchObject({
    ...{ region: "us-east-1", maxReadUnits: 5, keepTable: true, table: "burgee-eu-x" },
  });
});

it.each([
  ["dashboard: yes", 'settings: Unrecognized key: "dashboard"'],
  ["monitoring: some", 'monitoring: Invalid option: expected one of "none"|"standard"|"full"'],
  [
    "domain: { kind: custom, name: flags.example.com }",
    "domain.certificateArn: Invalid input: expected string",
  ],
  [
    "table: burgee-prod-restored, events: { to: bus, busArn: 'arn:x', streamArn: { 'Fn::GetAtt': [Table, StreamArn] } }",
    "events: the events would be those of the stack's own table: set streamArn",
  ],
])("the settings %s are refused: %s", (text, message) => {
  const settings = own(`prod: { ${text} }`);

  expect(() => findStage({ stage: "prod", settings })).toThrow(
    `the settings of prod are wrong:\n  ${message}`,
  );
});

it.each([
  [
    "eu: { region: eu-west-1 }",
    "eu",
    'own.yml has the stage eu: "like" must name a stage of infra/settings.yml',
  ],
  [
    "prod-eu: { like: prod }",
    "prod-eu",
    'the stage "prod-eu" needs a name of lower-case letters and digits only',
  ],
  ["\tprod: {}", "prod", "own.yml is not valid YAML: Tabs are not allowed"],
])("a file with %j is refused", (text, stage, message) => {
  expect(() => findStage({ stage, settings: own(text) })).toThrow(message);
});

it("a file that is missing is refused", () => {
  expect(() => findStage({ stage: "prod", settings: "none.yml" })).toThrow("none.yml cannot be read: ENOENT");
});
