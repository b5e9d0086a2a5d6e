/** Runs the command blocks of OPERATIONS.md and RUNBOOK.md in order, on a stage that they deploy. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

interface Block {
  heading: string;
  lines: string;
}

const blocksOf = (file: string): Block[] =>
  readFileSync(file, "utf8")
    .split(/^(?=##+ )/m)
    .flatMap((section) => {
      const heading = /^##+ (.+)/.exec(section)?.[1] ?? "";
      return [...section.matchAll(/```sh\n(.+?)```/gs)].map(([, lines = ""]) => ({ heading, lines }));
    });

const operations = blocksOf("docs/OPERATIONS.md");
const runbook = blocksOf("docs/RUNBOOK.md");

/** Adapts commands that depend on a terminal, on the time, or on a clone. */
const instead: [pattern: RegExp, replacement: string][] = [
  [/^npm ci$/m, ""],
  [/run rollback -- --stage prod/, "$& --yes"],
  [/key revoke \S+/, "$& --yes"],
  // The emulator's CloudFormation makes no OIDC provider.
  [
    /Repository=\S+/,
    "$& OidcProvider=arn:aws:iam::000000000000:oidc-provider/token.actions.githubusercontent.com",
  ],
  // The command above has just rolled back, so this one takes the newest.
  [/tail -n 2 \| head -n 1/, "tail -n 1"],
  [/--restore-date-time \S+/, "--use-latest-restorable-time"],
];

let prod: Stage;
let table = "";
/** As the stack of infra/aws/bootstrap.yml prints them. */
let settings = "";
/** Names a file with these, once it exists. */
let own: Record<string, string> = {};

beforeAll(async () => {
  prod = await openStage("prod");
});
afterAll(() => prod?.close());

async function run(lines: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await prod.shell(lines, { TABLE: table, ...own, ...variables });
  expect({ lines, code, said: code === 0 ? "" : `${out}${err}` }).toEqual({ lines, code: 0, said: "" });
  return out;
}

/** Makes a user with these policies alone. */
async function createUser(...policies: string[]): Promise<Record<string, string>> {
  const [name] = policies;
  const arns = policies.map((policy) => `'Policies[?PolicyName==\`people-burgee-prod-${policy}\`].Arn'`);
  const attachments = arns.map(
    (query) =>
      `aws iam attach-user-policy --user-name ${name} --policy-arn $(aws iam list-policies --query ${query} --output text)`,
  );
  const keys = await run(`
    aws iam create-user --user-name ${name} >/dev/null
    ${attachments.join("\n")}
    aws iam create-access-key --user-name ${name}`);
  const { AccessKeyId, SecretAccessKey } = JSON.parse(keys).AccessKey;
  return { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey };
}

const follow = ({ lines }: Block) =>
  run(instead.reduce((text, [pattern, by]) => text.replace(pattern, by), lines));

it("the pages have command blocks", () => {
  expect([operations.length, runbook.length]).toEqual([4, 12]);
});

it.each(operations)("OPERATIONS, $heading: $lines", async (block) => {
  const out = await follow(block);

  if (block.heading === "Permissions") settings = out.slice(out.indexOf("{"));
  if (block.heading === "Deploy") table = /^TableName: (\S+)$/m.exec(out)?.[1] ?? "";
  expect(table).toMatch(/^burgee-prod-Table-/);
});

describe("a user with the policies of one role alone", () => {
  const users: Record<string, Record<string, string>> = {};

  beforeAll(async () => {
    // The bucket requires TLS except from the account's root, and the emulator has no TLS.
    await run(`
      aws s3api delete-bucket-policy --bucket $(aws cloudformation describe-stack-resource --stack-name people-burgee-prod \\
        --logical-resource-id Bucket --query StackResourceDetail.PhysicalResourceId --output text)`);
    for (const policy of ["deployer", "operator"]) users[policy] = await createUser(policy);
    // As the role of these people has them.
    users.oncall = await createUser("oncall", "reader");
    await run(`echo "prod: ${settings.trim()}" > own.yml`);
    own = { BURGEE_SETTINGS: "own.yml" };
    await run("npm run --silent deploy -- --stage prod");
  });

  it("deployer deploys, and cannot read items", async () => {
    prod.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

    expect(await run("npm run --silent deploy -- --stage prod", users.deployer)).toContain(table);
    const { err } = await prod.shell(`aws dynamodb scan --table-name ${table}`, users.deployer);
    expect(err).toMatch(/denied/i);
  });

  it("oncall rolls back, and reads items", async () => {
    await run(
      `npm run --silent rollback -- --stage prod --yes; aws dynamodb scan --table-name ${table}`,
      users.oncall,
    );
  });

  it("operator uses the command line", async () => {
    await run(`npm run --silent admin -- --table ${table} feature list`, users.operator);
    // It prints the name without the permission to look the table up, too.
    expect(await run("npm run --silent status -- --stage prod", users.operator)).toContain(
      `TableName: ${table}`,
    );
  });
});

describe("the runbook", () => {
  beforeAll(async () => {
    prod.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 202"));
    await run("npm run --silent deploy -- --stage prod");
  });

  it.each(runbook)("RUNBOOK, $heading: $lines", async (block) => {
    await follow(block);
  });
});
