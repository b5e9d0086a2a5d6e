/** What the policies grant of the table is what the command line does with it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { policyOf } from "../../support/bootstrap.ts";
import { tag } from "../../support/seed.ts";
import { newFolder, useCommandLine } from "../clients/admin/command-line.ts";

const granted = (name: string): string[] => {
  const actions = policyOf(name).Statement.flatMap(({ Action }) => Action);
  return actions.filter((action) => action.startsWith("dynamodb:")).map((action) => action.slice(9));
};

const folder = newFolder();
const state = JSON.parse(readFileSync("infra/demo.json", "utf8"));
const demo = folder.file("demo.json", state);
const [first, ...others] = state.features;
const less = folder.file("less.json", { ...state, features: others });
const environments = { ...first.environments, production: { variants: [] } };
const changed = [{ ...first, tags: [tag("other")], environments }, ...others];
const other = folder.file("other.json", { ...state, features: changed });
const commandLine = await useCommandLine(state);

const plan = `apply ${less} --prune --dry-run`;
const reading = [
  plan,
  "export",
  "feature history checkout",
  "feature list",
  "feature show checkout",
  "history --since 1h",
  "key list",
  "project list",
];
const writing = [
  `apply ${less} --prune --yes`,
  // More changes than an environment carries.
  ...[demo, other, demo, other, demo, other].map((file) => `apply ${file} --yes`),
  `feature undo ${first.name} --yes`,
  `feature history ${first.name}`,
  "project put other development --yes",
  "project put other development production",
  "feature create new --project other",
  "feature delete new --yes",
  "feature restore new --yes",
  "feature delete new --yes",
  "project remove other --yes",
  "key create ci --permission UPDATE_FEATURE:default",
  "key rotate ci --grace 1h",
  "key revoke ci --yes",
];

async function operationsOf(commands: string[]): Promise<Set<string>> {
  commandLine.burgee.wire.reset();
  for (const command of commands) {
    const { code, err } = await commandLine.run(...command.split(" "));
    expect(code, `${command}: ${err}`).toBe(0);
  }
  const made = new Set(commandLine.burgee.wire.calls.map(({ operation }) => operation));
  // What it does at a local engine (--endpoint), never on AWS.
  for (const local of ["CreateTable", "DescribeTable"]) made.delete(local);
  return made;
}

it("the reader's policy grants every call of the commands that read, and no write", async () => {
  expect(granted("Reader")).toEqual(expect.arrayContaining([...(await operationsOf(reading))]));
  expect(granted("Reader").filter((action) => !/^(?:Get|BatchGet|Query|Scan|Describe)/.test(action))).toEqual(
    [],
  );
});

it("the operator's policy grants exactly the writes of all commands", async () => {
  const made = [...(await operationsOf([...reading, ...writing]))];

  const reads = granted("Reader");
  expect(granted("Operator")).toEqual(made.filter((operation) => !reads.includes(operation)).sort());
  // After a write conflict the item is read again.
  expect(reads).toContain("GetItem");
});
