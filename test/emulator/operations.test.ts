/** Runs the command blocks of OPERATIONS.md, COSTS.md and RUNBOOK.md in order, on a stage that they deploy. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksOf } from "./blocks.ts";
import { openStage, type Stage } from "./stage.ts";

/** A deleted bootstrap stack has a test of its own. */
const operations = [...blocksOf("docs/OPERATIONS.md"), ...blocksOf("docs/COSTS.md")].filter(
  ({ heading }) => !heading.startsWith("A deleted"),
);
/** The emulator has no API destinations, so no stage of it has the queue of guards. */
const runbook = blocksOf("docs/RUNBOOK.md").filter(({ lines }) => !lines.includes("GuardsNotTripped"));

/** Adapts commands that depend on a terminal, on the time, or on a clone. */
const instead: [pattern: RegExp, replacement: string][] = [
  [/^npm ci$/m, ""],
  [/run (deploy|rollback) -- --stage prod$/m, "$& --yes"],
  [/key revoke \S+/, "$& --yes"],
  [/--restore-date-time \S+/, "--use-latest-restorable-time"],
];

let prod: Stage;
let table = "";

beforeAll(async () => {
  prod = await openStage("prod");
});
afterAll(() => prod?.close());

async function run(lines: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await prod.shell(lines, { TABLE: table, ...variables });
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

const follow = ({ lines }: Block, user?: Record<string, string>) =>
  run(
    instead.reduce((text, [pattern, by]) => text.replace(pattern, by), lines),
    user,
  );

it("the pages have command blocks", () => {
  expect([operations.length, runbook.length]).toEqual([9, 10]);
});

it.each(operations)("OPERATIONS or COSTS, $heading: $lines", async (block) => {
  const out = await follow(block);

  table ||= /^TableName: (\S+)$/m.exec(out)?.[1] ?? "";
  if (!block.lines.includes("--stack-name people-")) expect(table).toMatch(/^burgee-prod-Table-/);
});

const users: Record<string, Record<string, string>> = {};

/** What a stage is made of. The emulator does not report by which role, nor the boundaries of roles. */
async function describeStage() {
  const get = async (command: string) => JSON.parse(await run(`aws cloudformation ${command} --output json`));
  const resources: string[] = await get(
    "list-stack-resources --stack-name burgee-prod --query StackResourceSummaries[].LogicalResourceId",
  );
  const parameters: { ParameterKey: string; ParameterValue: string }[] = await get(
    "describe-stacks --stack-name burgee-prod --query Stacks[0].Parameters",
  );
  const { Archives, ...others } = Object.fromEntries(
    parameters.map(({ ParameterKey, ParameterValue }) => [ParameterKey, ParameterValue]),
  );
  return { resources: resources.sort(), parameters: others };
}

/** By whom the page says that a block is run. */
function userFor({ heading, lines }: Block) {
  if (heading === "Restore" || lines.includes("drift")) return undefined;
  return lines.includes("run --silent admin") ? users.operator : users.oncall;
}

const topic = "arn:aws:sns:us-east-1:000000000000:alarms";

describe("a stage with settings of its own, made by the roles of infra/aws/bootstrap.yml", () => {
  let made: Awaited<ReturnType<typeof describeStage>>;

  beforeAll(async () => {
    // The bucket requires TLS except from the account's root, and the emulator has no TLS.
    await run(`
      aws s3api delete-bucket-policy --bucket $(aws cloudformation describe-stack-resource --stack-name people-burgee-prod \\
        --logical-resource-id Bucket --query StackResourceDetail.PhysicalResourceId --output text)`);
    users.deployer = await createUser("deployer");
    users.operator = await createUser("operator", "reader");
    // The permissions of these people's role.
    users.oncall = await createUser("oncall", "reader");
    await run(`
      printf 'AlarmTopicArn: ${topic}\\nEventBusArn: arn:aws:events:us-east-1:000000000000:event-bus/default\\n' > own.yml
      npm run --silent deploy -- --stage prod --settings own.yml
      rm own.yml`);
    made = await describeStage();
  });

  it("has what they ask for, the boundary and the bucket", () => {
    expect(made).toMatchObject({
      resources: expect.arrayContaining(["VariantsEvents", "TagsEvents", "EventsNotSent"]),
      parameters: {
        Boundary: expect.stringMatching(/:policy\/people-burgee-prod-boundary$/),
        Bucket: expect.stringMatching(/^burgee-prod-\d+-us-east-1$/),
      },
    });
  });

  it("cannot lose what the administrator made for it", async () => {
    const query = "--stack-name people-burgee-prod --query Stacks[0].EnableTerminationProtection";

    expect(await run(`aws cloudformation describe-stacks ${query}`)).toBe("true\n");
  });

  it("keeps them when the deployer deploys without the file, who cannot read items", async () => {
    prod.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

    const out = await run("npm run --silent deploy -- --stage prod", users.deployer);

    expect(out).toContain(`TableName: ${table}`);
    expect(out).toContain(`\nAlarmTopicArn: ${topic}\n`);
    expect(await describeStage()).toEqual(made);
    const { err } = await prod.shell(`aws dynamodb scan --table-name ${table}`, users.deployer);
    expect(err).toMatch(/denied/i);
  });

  it("loses one when a file says so", async () => {
    prod.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 202"));
    await run(`
      echo 'EventBusArn: ""' > own.yml
      npm run --silent deploy -- --stage prod --settings own.yml
      rm own.yml`);

    const before = made.resources;
    made = await describeStage();
    expect(before.filter((name) => !made.resources.includes(name))).toEqual(
      expect.arrayContaining(["EventsNotSent", "EventsRole", "TagsEvents", "VariantsEvents"]),
    );
    expect(made.parameters).toMatchObject({ AlarmTopicArn: topic, EventBusArn: "" });
  });

  it("is the operator's to use by the command line", async () => {
    await run(`npm run --silent admin -- --table ${table} feature list`, users.operator);
    expect(await run("npm run --silent status -- --stage prod", users.operator)).toContain(
      `TableName: ${table}`,
    );
  });

  it("is rolled back by on-call one deployment, and then by a deployer only", async () => {
    await run("npm run --silent rollback -- --stage prod --yes", users.oncall);

    const { code, err } = await prod.shell("npm run --silent rollback -- --stage prod --yes", users.oncall);

    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the call of AWS failed: .*denied/i),
    });
    expect(await describeStage()).toEqual(made);
  });

  it.each(runbook)("RUNBOOK, $heading: $lines", async (block) => {
    if (/^Roll ?back/.test(block.heading))
      await run("npm run --silent deploy -- --stage prod", users.deployer);
    await follow(block, userFor(block));
  });

  it("keeps them when on-call follows the runbook, which rolls it back without a file", async () => {
    expect(await describeStage()).toEqual(made);
  });
});
