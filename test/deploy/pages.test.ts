/** What OPERATIONS.md, COSTS.md and RUNBOOK.md have operators type and look up: each command parses, and each name exists. */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { runNode, runProgram } from "../support/program.ts";
import { propertiesOf, readTemplate, resourcesOf } from "./templates.ts";

const read = (file: string) => readFileSync(file, "utf8");
const text = ["docs/OPERATIONS.md", "docs/COSTS.md", "docs/RUNBOOK.md"].map(read).join("\n");
const template = readTemplate("options");
const properties = propertiesOf(template);
const { Resources: ofBootstrap } = parse(read("infra/aws/bootstrap.yml"));

/** Where the commands are typed. */
const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
symlinkSync(path.resolve("infra"), path.join(folder, "infra"));

/** Blocks of commands, and commands within a sentence. */
const snippets = [...text.matchAll(/```sh\n(.+?)```|`((?:aws|npm|printf) [^`]+)`/gs)].map(
  ([, block, inline]) => block ?? inline ?? "",
);

/** What a reader puts in place of these words. */
const asTyped = (snippet: string) =>
  snippet
    .replace(/\bACCOUNT\b/, "123456789012")
    .replace(/\bARN\b/, "arn:aws:dynamodb:us-east-1:123456789012:table/burgee-prod-Table-1/backup/1")
    .replace("<commit>", "abc1234");

interface Typed {
  program: string;
  given: string[];
}

/** Runs the snippets with programs that only write down what they are given, and print what could be AWS's answer. */
async function recordTyped(): Promise<Typed[]> {
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  const recorder = `#!${process.execPath}
    const [, file, ...given] = process.argv;
    const line = JSON.stringify({ program: require("node:path").basename(file), given });
    require("node:fs").appendFileSync("typed", line + "\\n");
    const { [given.includes("get-caller-identity") ? "ACCOUNT" : "SOME_ARN"]: answer } = process.env;
    console.log(given.includes("status") ? "TableName: burgee-prod-Table-1" : answer);
  `;
  for (const name of ["aws", "npm", "node", "git", "jq"])
    writeFileSync(path.join(bin, name), recorder, { mode: 0o755 });
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    ACCOUNT: "123456789012",
    SOME_ARN: "arn:aws:events:us-east-1:123456789012:event-bus/default",
    // Earlier commands of the pages set them.
    ...{ TABLE: "burgee-prod-Table-1", KEY: "key", URL: "https://sqs.us-east-1.amazonaws.com/1/a" },
  };
  for (const snippet of snippets) {
    const lines = asTyped(snippet);
    const { code, err } = await runProgram("bash", ["--norc", "-eu", "-c", lines], { cwd: folder, env });
    expect({ lines, code, err }).toEqual({ lines, code: 0, err: "" });
  }
  const typed = readFileSync(path.join(folder, "typed"), "utf8").trim().split("\n");
  return [...new Set(typed)].map((line) => JSON.parse(line));
}

const typed = await recordTyped();
// Earlier commands of the pages write them.
for (const name of ["left", "state", "then"]) writeFileSync(path.join(folder, `${name}.json`), "{}");
const of = (program: string) => typed.filter((one) => one.program === program).map(({ given }) => given);

it("each command of the AWS CLI is one that it would send", async () => {
  const commands = of("aws");
  const python = path.join(fetchPython("aws", "test/emulator/aws.txt"), "python");
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, AWS_DEFAULT_REGION: "us-east-1" },
    ...{ AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" },
  };

  const { code, out, err } = await runProgram(python, [path.resolve("test/deploy/parse-commands.py")], {
    cwd: folder,
    env,
    input: JSON.stringify(commands),
  });

  expect({ code, err }).toEqual({ code: 0, err: "" });
  const said: string[] = JSON.parse(out);
  const refused = commands.flatMap((given, index) =>
    said[index]?.includes("would send") ? [] : [`${given.join(" ")}: ${said[index]}`],
  );
  expect(refused).toEqual([]);
  expect(commands.length).toBeGreaterThan(45);
});

it.each(
  of("npm").flatMap((given) => {
    const [, script = "", more = ""] = /^run (?:--silent )?(\w+)(?: -- (.+))?$/.exec(given.join(" ")) ?? [];
    const program = {
      admin: "admin",
      deploy: "deploy",
      rollback: "deploy",
      remove: "deploy",
      status: "deploy",
    }[script];
    return program && more ? [{ program, given: program === "admin" ? more : `${script} ${more}` }] : [];
  }),
)("$program takes: $given", async ({ program, given }) => {
  // It ends where it would call AWS, as it has no region.
  const env = { PATH: process.env.PATH, HOME: folder };
  const { code, err } = await runNode([path.resolve(`dist/tools/${program}.mjs`), ...given.split(" ")], {
    cwd: folder,
    env,
  });

  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/set AWS_REGION/) });
});

it("commands name stacks, resources, logs and pipes that there are", () => {
  const named = (option: string, service = "") =>
    of("aws").flatMap((given) =>
      given.join(" ").startsWith(service) ? given.filter((_, index) => given[index - 1] === option) : [],
    );
  const namesOf = (type: string, member: string) =>
    resourcesOf(template, type).map(([, { Properties }]) => Properties[member]);

  const stacks = named("--stack-name");
  expect(stacks.filter((name) => !/^(?:people-)?burgee-(?:prod|prodb|dev)$/.test(name))).toEqual([]);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(named("--logical-resource-id")));
  expect(namesOf("AWS::Logs::LogGroup", "LogGroupName")).toEqual(
    expect.arrayContaining(named("--log-group-name")),
  );
  expect(namesOf("AWS::Pipes::Pipe", "Name")).toEqual(expect.arrayContaining(named("--name", "pipes")));
  expect(namesOf("AWS::Events::Connection", "Name")).toEqual(
    expect.arrayContaining(named("--name", "events update-connection")),
  );
  const counts = ["--stack-name", "--logical-resource-id", "--log-group-name"].map(
    (one) => named(one).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

it("the section of a lost region names each setting that belongs to a region, and has DNS last", () => {
  const section = text.split(/^(?=## )/m).find((one) => one.startsWith("## A lost region")) ?? "";
  const regional = Object.entries(template.Parameters).flatMap(([name, { AllowedPattern = "" }]) =>
    /arn:|s3:/.test(AllowedPattern) ? [name] : [],
  );

  expect(regional.length).toBeGreaterThan(3);
  for (const name of regional) expect(section).toContain(`\`${name}\``);
  const steps = [
    "--stack-name people-burgee-prodb",
    "deploy -- --stage prodb",
    "apply state.json",
    "point DNS",
  ];
  const places = steps.map((step) => section.indexOf(step));
  expect(places).toEqual(places.filter((place) => place >= 0).sort((one, other) => one - other));
  // A tag of a deployment's resources, by which a backup plan finds the table.
  expect(section).toContain("resources with the tag `stage`");
});

it("the pages name settings, outputs, alarms, resources, roles and saved queries that there are", () => {
  const ids = [...Object.keys(properties), ...Object.keys(ofBootstrap)];
  const known = new Set([
    ...[...Object.keys(template.Parameters), ...Object.keys(template.Outputs), "Repository"],
    ...ids.flatMap((id) => [id, id.replace(/Alarm$/, "")]),
    // Of HTTP and of AWS.
    ...["Authorization", "CurrentState", "AccessDeniedException"],
    ...["MaxOnDemandThroughputExceeded", "KeyRangeThroughputExceeded"],
  ]);
  const words = [...text.matchAll(/`(?:\.\.\.)?([A-Z][a-z]\w+)(?:: [^`]+)?`/g)].map(([, word = ""]) => word);
  const suffixes = (Object.values(ofBootstrap) as { Properties: Record<string, unknown> }[]).flatMap(
    ({ Properties: { RoleName, ManagedPolicyName } }) =>
      [RoleName, ManagedPolicyName].flatMap(
        (name) => /-(\w+)"\}$/.exec(JSON.stringify(name ?? ""))?.[1] ?? [],
      ),
  );
  const roles = [...text.matchAll(/people-burgee-prod-(\w+)|^\| `(\w+)`, a (?:policy|role)/gm)].map(
    ([, suffix, row]) => suffix ?? row ?? "",
  );
  const queries = [...text.matchAll(/[Qq]uery(?: of|:)? `([a-z ]+)`/g)].map(([, name = ""]) => name);
  const saved = resourcesOf(template, "AWS::Logs::QueryDefinition").map(
    ([, { Properties }]) => Properties.Name.split("/")[1],
  );

  expect(words.filter((word) => !known.has(word))).toEqual([]);
  expect(suffixes).toEqual(expect.arrayContaining(roles));
  expect(saved).toEqual(expect.arrayContaining(queries));
  expect([words.length > 60, roles.length > 5, queries.length > 8]).toEqual([true, true, true]);
});
