/** Runs the command blocks of OPERATIONS.md in order, on a stage that they deploy. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const page = readFileSync("infra/OPERATIONS.md", "utf8");
const blocks = page.split(/^(?=## )/m).flatMap((section) => {
  const heading = /^## (.+)/.exec(section)?.[1] ?? "";
  return [...section.matchAll(/```sh\n(.+?)```/gs)].map(([, lines = ""]) => ({ heading, lines }));
});

/** Adapts commands that depend on a terminal, on the time, or on a clone. */
const instead: [pattern: RegExp, replacement: string][] = [
  [/^npm ci$/m, ""],
  [/run deploy -- --stage prod/, "$& --yes"],
  [/key revoke \S+/, "$& --yes"],
  [/--restore-date-time \S+/, `--use-latest-restorable-time`],
];

let prod: Stage;
let table = "";
let user: Record<string, string> = {};

beforeAll(async () => {
  prod = await openStage("prod");
});
afterAll(() => prod?.close());

async function run(lines: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await prod.sources.shell(lines, { TABLE: table, ...variables });
  expect({ lines, code, said: code === 0 ? "" : `${out}${err}` }).toEqual({ lines, code: 0, said: "" });
  return out;
}

describe("every block of commands succeeds", () => {
  it.each(blocks)("$heading: $lines", async ({ heading, lines }) => {
    const out = await run(instead.reduce((text, [pattern, by]) => text.replace(pattern, by), lines));

    if (heading === "Deploy") table = /^TableName: (\S+)$/m.exec(out)?.[1] ?? "";
    expect(table).toMatch(/^burgee-prod-Table-/);
  });

  it("every section with commands has a block", () => {
    expect([...new Set(blocks.map(({ heading }) => heading))]).toEqual([
      ...[
        "Deploy",
        "First key",
        "Permissions",
        "When a deployment fails",
        "Roll back",
        "Remove",
        "Rotate a key",
      ],
      ...["Restore the table", "Logs", "Alarms"],
    ]);
  });
});

describe("with the deployer's policy alone", () => {
  it("a user deploys", async () => {
    const arn = await run(
      "aws iam list-policies --query 'Policies[?PolicyName==`burgee-deployer`].Arn' --output text",
    );
    // The bucket requires TLS except from the account's root, and the emulator has no TLS.
    await run(`
      aws s3api delete-bucket-policy --bucket $(aws cloudformation describe-stack-resource --stack-name burgee-prod \\
        --logical-resource-id ServerlessDeploymentBucket --query StackResourceDetail.PhysicalResourceId --output text)`);
    const keys = await run(`
      aws iam create-user --user-name pipeline >/dev/null
      aws iam attach-user-policy --user-name pipeline --policy-arn ${arn.trim()}
      aws iam create-access-key --user-name pipeline`);
    const { AccessKeyId, SecretAccessKey } = JSON.parse(keys).AccessKey;
    user = { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey };
    prod.sources.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

    expect(await run("npm run --silent deploy -- --stage prod --yes", user)).toContain(table);
  });

  it("it can neither read items of the table nor delete another stack", async () => {
    const { out, err } = await prod.sources.shell(
      `aws dynamodb scan --table-name ${table} || aws cloudformation delete-stack --stack-name other`,
      user,
    );

    expect({ out, err: err.match(/AccessDenied/g) }).toEqual({
      out: "",
      err: ["AccessDenied", "AccessDenied"],
    });
  });
});
