/** What the check of a deployment reports. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requireChecked } from "../../infra/aws/check.ts";
import { findStack } from "../../infra/aws/stack.ts";
import { bootstrapVersion } from "../support/bootstrap.ts";
import { type FakeAws, startAws } from "./fake-aws.ts";

let aws: FakeAws;
const stage = { name: "dev", region: "us-east-1", stack: "burgee-dev" };

beforeEach(async () => {
  aws = await startAws();
  vi.stubEnv("AWS_ENDPOINT_URL", aws.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});
afterEach(() => {
  aws.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

interface Given {
  values?: Record<string, string>;
  warnings?: string[];
}

/** The lines that are printed, the last one of them a refusal. */
async function check({ values = {}, warnings = [] }: Given = {}): Promise<string> {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const plan = {
    ...stage,
    packaged: { template: { Parameters: {}, Resources: {} }, archives: {}, digest: "" },
    settings: { values: { Monitoring: "false", ...values }, notDefault: [], warnings, takenAway: [] },
    bootstrap: await findStack({ ...stage, stack: "people-burgee-dev" }),
    before: await findStack(stage),
  };
  const ended = await requireChecked(plan).catch(({ message }: Error) => message);
  return [...printed.mock.calls.flat(), ended].join("\n");
}

it("prints a line for each thing", async () => {
  const lines = [
    "  ok  credentials  arn:aws:iam::1:user/ops",
    `  ok  bootstrap    people-burgee-dev has version ${bootstrapVersion}`,
    "  ok  concurrency  this account runs 1000 functions at once",
  ];

  expect((await check()).trimEnd().split("\n")).toEqual(lines);
});

it.each([
  [undefined, "there is no stack people-burgee-dev in us-east-1: an administrator deploys"],
  [
    "1",
    `people-burgee-dev has version 1, and this commit needs ${bootstrapVersion}: an administrator deploys`,
  ],
])("refuses a stage whose bootstrap.yml has the version %j", async (bootstrap, line) => {
  aws.bootstrap = bootstrap;

  const lines = await check();

  expect(lines).toContain(
    `   x  bootstrap    ${line} infra/aws/bootstrap.yml: docs/OPERATIONS.md#permissions`,
  );
  expect(lines).toContain("nothing was changed: see the lines with x");
});

it.each([
  [{ Monitoring: "true" }, true],
  [{ EventBusArn: "arn:aws:events:us-east-1:1:event-bus/default" }, true],
  [{ GuardAlarms: "a-", GuardProject: "default", GuardEnvironment: "production" }, true],
  [{}, false],
  [{ Monitoring: "true", AlarmTopicArn: "arn:aws:sns:us-east-1:1:alarms" }, false],
])("warns of alarms of %j that have no recipient: %j", async (values, isUnheard) => {
  const lines = await check({ values });

  expect(lines.includes("   !  settings     alarms have no recipient: set AlarmTopicArn")).toBe(isUnheard);
});

it.each([
  [{ Truststore: "s3://a/b" }, "Truststore needs a DomainName: the API would have no address"],
  [{ DomainName: "flags.dev" }, "DomainName needs a CertificateArn"],
  [{ AlarmNoTraffic: "true" }, "AlarmNoTraffic needs Monitoring"],
  // CloudFormation accepts it, and no function would start.
  [{ KeyCacheSeconds: "1.5" }, "KeyCacheSeconds must be a whole number"],
  [{ DocumentCacheSeconds: "0.5" }, "DocumentCacheSeconds must be a whole number"],
  [{ GuardAlarms: "a-", GuardProject: "default" }, "GuardAlarms needs a GuardProject and a GuardEnvironment"],
  [
    {
      ...{ GuardAlarms: "a-", GuardProject: "default", GuardEnvironment: "production" },
      ...{ Truststore: "s3://a/b", DomainName: "flags.dev", CertificateArn: "arn:aws:acm:::a" },
    },
    "GuardAlarms needs no Truststore: EventBridge has no certificate",
  ],
])("refuses %j: %s", async (values, reason) => {
  const lines = await check({ values });

  expect(lines).toContain(`   x  settings     ${reason}\n`);
  expect(lines).toContain("nothing was changed: see the lines with x");
});

it("accepts a domain with a certificate and a truststore", async () => {
  const values = { DomainName: "flags.dev", CertificateArn: "arn:aws:acm:::a", Truststore: "s3://a/b" };

  expect(await check({ values })).not.toContain("   x  ");
});

it("warns of what a file lacks", async () => {
  const lines = await check({ warnings: ["own.yml lacks RateLimit: the stage keeps 7"] });

  expect(lines).toContain("   !  settings     own.yml lacks RateLimit: the stage keeps 7\n");
});

it("says what the quota of a new account means", async () => {
  aws.concurrency = 10;

  expect(await check()).toContain(
    "   !  concurrency  this account runs 10 functions at once, and refuses more requests with 503: request 1000",
  );
});

it("refuses to reserve more functions than AWS lets the account spare", async () => {
  aws.unreserved = 130;
  const values = { TagsConcurrency: "20", VariantsConcurrency: "20" };
  const refusal = (reserved: string) =>
    `   x  concurrency  the settings reserve ${reserved} concurrent runs, and this account can spare 30: lower them, or`;

  expect(await check({ values })).toContain(refusal("40 more"));
  aws.stack = undefined;
  expect(await check({ values })).toContain(refusal("40"));
});

it("counts what the stage has reserved already", async () => {
  aws.unreserved = 130;
  aws.parameters = { VariantsConcurrency: "20", ReadConcurrency: "0" };

  expect(await check({ values: { TagsConcurrency: "20", VariantsConcurrency: "20" } })).not.toContain(
    "   x  ",
  );
});
