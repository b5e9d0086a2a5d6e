/** Where the data is: a folder, a DynamoDB engine, or AWS; and the message where it is not. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../support/listening.ts";
import type { Run } from "../../support/program.ts";
import { done, misused, newFolder, refused, runProcess, useCommandLine } from "./command-line.ts";

const folder = newFolder();

const line = await useCommandLine();

const nowhere = refused(
  "no table to work on: give --data DIR for a folder of this machine, --endpoint URL for a DynamoDB engine, " +
    "or set AWS_REGION and credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) for AWS",
);
const bothGiven = misused("option '--data <dir>' cannot be used with option '--endpoint <url>'");
const notEndpoint = misused(
  "option '--endpoint <url>' argument 'here' is invalid. An endpoint looks like http://127.0.0.1:8000.",
);
const empty = (option: string) => misused(`option '${option}' argument '' is invalid. It must not be empty.`);
const invalidRegion = refused(
  'the AWS region is invalid: Region not accepted: region="us east" is not a valid hostname component.',
);
const noResponse = refused(
  "no response from http://127.0.0.1:9 (ECONNREFUSED): is the address or region right, and the network up?",
);
const unreachable = (address: string, cause: string) => ({
  ...refused(""),
  err: expect.stringMatching(
    new RegExp(
      `^burgee: no response from ${address} \\((${cause})\\): is the address or region right, and the network up\\?\n$`,
    ),
  ),
});
const aws = { AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const notDirectory = refused(
  "the folder package.json cannot be used for the data: ENOTDIR: not a directory, mkdir 'package.json/dynamodb'",
);

it.concurrent.each([
  ["http://nowhere.invalid", "ENOTFOUND|EAI_AGAIN"],
  ["http://127.0.0.1:9", "ECONNREFUSED"],
])("gives up a host that cannot be found or reached: %s", async (AWS_ENDPOINT_URL_DYNAMODB, cause) => {
  const settings = { ...aws, AWS_ENDPOINT_URL_DYNAMODB };

  expect(await runProcess(["key", "list"], settings)).toEqual(unreachable(AWS_ENDPOINT_URL_DYNAMODB, cause));
});

it.concurrent.each<[string, Run, Record<string, string>?]>([
  ["export", nowhere],
  ["export", nowhere, { AWS_REGION: "" }],
  ["export", invalidRegion, { ...aws, AWS_REGION: "us east" }],
  ["--data d --endpoint http://h export", bothGiven],
  ["--data  apply infra/demo.json", empty("--data <dir>")],
  ["--endpoint here export", notEndpoint],
  ["--endpoint http://127.0.0.1:9 export", noResponse],
  ["--data package.json apply infra/demo.json", notDirectory],
])("fails in one line without a place for the data: %s", async (given, failure, settings) => {
  expect(await runProcess(given.split(" "), settings)).toEqual(failure);
});

it.each([
  ["the service", 404, { message: "Not Found" }],
  ["a server of pages", 404, "<html>"],
  ["a server of pages for any request", 200, "<html>"],
])("the data is not at the address of %s", async (_, status, body) => {
  const server = createServer((_, response) => {
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());

  const { code, out, err } = await runProcess(["--endpoint", endpoint, "key", "list"]);
  expect({ code, out, err }).toEqual(
    refused(
      `${endpoint} is not the address of a DynamoDB engine; npm start prints the --endpoint of its engine`,
    ),
  );
});

it.concurrent.each(["key rotate ci", "feature show f"])(
  "the data is not a folder without data, for %s",
  async (command) => {
    const typo = path.join(folder.path, `typo of ${command}`);

    expect(await runProcess(["--data", typo, ...command.split(" ")])).toEqual(
      refused(
        `there is no data in the folder ${typo}: is the path right? ` +
          "apply, import-unleash, project put and key create would create an empty table there",
      ),
    );
    expect(existsSync(typo)).toBe(false);
  },
);

it("the data may be a folder that is to be created, but not by a dry run", async () => {
  const created = path.join(folder.path, "new");
  const apply = ["--data", created, "--json", "apply", "infra/demo.json"];

  const dryRun = await runProcess([...apply, "--dry-run"]);

  expect(JSON.parse(dryRun.out)).toMatchObject({ dryRun: true, created: 4 });
  expect(existsSync(created)).toBe(false);
  expect(await runProcess(apply)).toMatchObject({ code: 0 });
  expect(existsSync(created)).toBe(true);
});

const AWS_CONFIG_FILE = folder.file("config", Buffer.from("[default]\nregion = eu-west-1\n[profile ops]\n"));
const AWS_SHARED_CREDENTIALS_FILE = folder.file("credentials", Buffer.from("[bare]\n"));
const noRegion = "no AWS region is set: set AWS_REGION, or a region in the AWS profile";
const noCredentials = /^burgee: the AWS profile "bare" \(AWS_PROFILE\) gives no credentials: .*\n$/;

it.concurrent.each([
  ["ops", {}, refused(noRegion)],
  ["bare", { AWS_REGION: "eu-west-1" }, { code: 1, out: "", err: expect.stringMatching(noCredentials) }],
])("the data is not in the AWS profile %s", async (AWS_PROFILE, region, answer) => {
  const settings = { AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE, AWS_PROFILE, ...region };

  expect(await runProcess(["feature", "list"], settings)).toEqual(answer);
});

it("names the reason why the default AWS profile gives no credentials", async () => {
  const session = "[sso-session s]\nsso_region = eu-west-1\nsso_start_url = https://start.invalid\n";
  const profile = "[default]\nsso_session = s\nsso_account_id = 123456789012\nsso_role_name = r\n";
  const AWS_CONFIG_FILE = folder.file("sso", Buffer.from(profile + session));

  const { code, err } = await runProcess(["key", "list"], { AWS_CONFIG_FILE, AWS_REGION: "eu-west-1" });

  expect(code).toBe(1);
  expect(err).toMatch(
    /^burgee: AWS gives no credentials: The SSO session [^\n]*run 'aws sso login'[^\n]*\n$/,
  );
});

it("the data may be a folder, which stays as it is from command to command, and is one process's at a time", async () => {
  const inFolder = (command: string) => runProcess(["--data", folder.path, ...command.split(" ")]);

  const made = await inFolder("project put default development");
  const [one, other] = await Promise.all([inFolder("project list"), inFolder("project list")]);

  const created = done("1 created, 0 updated, 0 removed, 0 unchanged.\n");
  expect(made).toEqual({ ...created, err: 'The table "burgee" is empty.\n' });
  const [listed, locked] = one.code === 0 ? [one, other] : [other, one];
  expect(listed).toEqual(done("PROJECT  ENVIRONMENTS\ndefault  development\n"));
  const inUse = `the data in ${folder.path} is in use by another process; npm start prints the --endpoint of its engine`;
  // The two may also have come one after the other.
  expect([refused(inUse), listed]).toContainEqual(locked);
  const { code, err } = await inFolder("--table x export");
  expect(code).toBe(1);
  expect(err).toMatch(/^burgee: DynamoDB refused the call: ValidationException: TableName must be .*\n$/);
});

it("settings that are empty count as not set", async () => {
  const empty = { AWS_REGION: "", AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", TABLE_NAME: "" };
  const data = path.join(folder.path, "empty settings");

  expect(await runProcess(["--data", data, "project", "put", "default", "a"], empty)).toEqual({
    ...done("1 created, 0 updated, 0 removed, 0 unchanged.\n"),
    err: 'The table "burgee" is empty.\n',
  });
});

it.each([
  [
    "an endpoint",
    () => line.at("profile"),
    { AWS_PROFILE: "bare", AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE },
  ],
  [
    "a folder",
    () => ["--data", path.join(folder.path, "others")],
    {
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true",
      AWS_USE_FIPS_ENDPOINT: "true",
      AWS_USE_DUALSTACK_ENDPOINT: "true",
    },
  ],
])("the data is in %s, not on AWS, whatever the settings for AWS are", async (_, at, settings) => {
  const put = await runProcess([...at(), "project", "put", "p", "a"], settings);

  expect(put).toMatchObject({ code: 0, out: "1 created, 0 updated, 0 removed, 0 unchanged.\n" });
});

it("the data may be AWS, where no table is made", async () => {
  const settings = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: line.burgee.wire.endpoint };

  const there = await runProcess(["--table", line.burgee.session.table, "key", "list"], settings);
  const not = await runProcess(["key", "list"], { ...settings, TABLE_NAME: "not-there" });

  expect(there).toMatchObject({ code: 0, err: "" });
  expect(not).toEqual(
    refused(
      'there is no table "not-there" in eu-central-1: deploy the service first, or name its table with --table',
    ),
  );
});
