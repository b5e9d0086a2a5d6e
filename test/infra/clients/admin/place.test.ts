/** Where the data is: a folder, a DynamoDB engine, or AWS; and the message where it is not. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { requireStrongKeys } from "../../../../infra/clients/admin/table/key-strength.ts";
import { stateSchema } from "../../../../infra/state/state-file.ts";
import { listen } from "../../../support/listening.ts";
import { runProgram } from "../../../support/program.ts";
import { done, misused, newFolder, refused, run, runProcess, useCommandLine } from "./command-line.ts";

const folder = newFolder();

const line = await useCommandLine();

const unreachable = "check the address, the region and the network";

it.each([
  [
    "--data d --endpoint http://h export",
    misused("option '--data <dir>' cannot be used with option '--endpoint <url>'"),
  ],
  [
    "--data  apply infra/demo.json",
    misused("option '--data <dir>' argument '' is invalid. It must not be empty."),
  ],
  [
    "--endpoint here export",
    misused(
      "option '--endpoint <url>' argument 'here' is invalid. An endpoint looks like http://127.0.0.1:8000.",
    ),
  ],
  [
    "--endpoint http://127.0.0.1:9 export",
    refused(`no response from http://127.0.0.1:9 (ECONNREFUSED): ${unreachable}`),
  ],
  ["--data package.json apply infra/demo.json", refused("package.json is a file: --data takes a folder")],
  ["--data README.md feature list", refused("README.md is a file: --data takes a folder")],
  [
    "--data typo feature show f",
    refused(
      "there is no data in the folder typo: is the path right? " +
        "apply, import-flagd, import-unleash, project put and key create would create an empty table there",
    ),
  ],
])("fails in one line without a place for the data: %s", async (given, failure) => {
  expect(await run(given.split(" "))).toEqual(failure);
  expect(existsSync("typo")).toBe(false);
});

/** A superuser may write anywhere, so the program runs without that capability, and still owns the checkout. */
const unprivileged =
  process.getuid?.() === 0
    ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", process.execPath]
    : [process.execPath];

const canBeUnprivileged =
  spawnSync(unprivileged[0] ?? "", [...unprivileged.slice(1), "--version"]).status === 0;

it.skipIf(!canBeUnprivileged)(
  "says why a folder that it may not write to cannot be read, and what to do",
  async () => {
    const data = path.join(newFolder().path, "data");
    await run(["--data", data, "apply", "infra/demo.json"]);
    for (const one of [path.join(data, "dynamodb"), data, path.dirname(data)]) chmodSync(one, 0o555);

    const [command = "", ...options] = unprivileged;
    const given = ["dist/tools/admin.mjs", "--data", data, "feature", "list"];
    const listed = await runProgram(command, [...options, ...given]);

    expect(listed).toEqual(
      refused(
        `the data in ${data} is read-only, and the engine needs a lock in it: copy the folder, and give the copy as --data`,
      ),
    );
  },
);

it.each([
  ["the service", 404, '{"message":"Not Found"}'],
  ["a server of pages", 200, "<html>"],
])("the data is not at the address of %s", async (_, status, body) => {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());

  expect(await run(["--endpoint", endpoint, "key", "list"])).toEqual(
    refused(
      `${endpoint} is not the address of a DynamoDB engine; npm start prints the --endpoint of its engine`,
    ),
  );
});

const AWS_CONFIG_FILE = folder.file("config", Buffer.from("[default]\nregion = eu-west-1\n[profile ops]\n"));
const AWS_SHARED_CREDENTIALS_FILE = folder.file("credentials", Buffer.from("[bare]\n"));
const profiles = { AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE };
const aws = { AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const nowhere =
  /^no service and no table to work on: give --url URL .*, --data DIR for a folder .*, --endpoint URL .*, or set AWS_REGION and credentials/;

it.concurrent.each<[string, Record<string, string>, RegExp]>([
  ["no settings", {}, nowhere],
  [
    "a region that is not valid",
    { ...aws, AWS_REGION: "us east" },
    /^the AWS region is invalid: Region not accepted: region="us east" is not /,
  ],
  [
    "a host that does not exist",
    { ...aws, AWS_ENDPOINT_URL_DYNAMODB: "http://nowhere.invalid" },
    /^no response from http:\/\/nowhere.invalid \((ENOTFOUND|EAI_AGAIN)\): check the address/,
  ],
  ["a profile without a region", { ...profiles, AWS_PROFILE: "ops" }, nowhere],
  [
    "a profile without credentials",
    { ...profiles, AWS_PROFILE: "bare", AWS_REGION: "eu-west-1" },
    /^the AWS profile "bare" \(AWS_PROFILE\) gives no credentials: ./,
  ],
])("the data is not on AWS with %s", async (_, settings, message) => {
  const { code, out, err } = await runProcess(["key", "list"], settings);

  expect({ code, out }).toEqual({ code: 1, out: "" });
  const [, text = ""] = /^burgee: ([^\n]*)\n$/.exec(err) ?? [];
  expect(text).toMatch(message);
});

/** Settings that count as not set, or would lead to AWS. */
const misleading = {
  AWS_ACCESS_KEY_ID: "",
  AWS_SECRET_ACCESS_KEY: "",
  TABLE_NAME: "",
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true",
  AWS_USE_FIPS_ENDPOINT: "true",
  AWS_USE_DUALSTACK_ENDPOINT: "true",
};

it("the data may be a folder, created by a command but not by a dry run, and one process's at a time", async () => {
  const data = path.join(folder.path, "new");
  const put = "project put default development".split(" ");

  const dryRun = await runProcess(["--data", data, "--json", ...put, "--dry-run"], misleading);
  expect(JSON.parse(dryRun.out)).toMatchObject({ dryRun: true, created: 1 });
  expect(existsSync(data)).toBe(false);

  expect(await runProcess(["--data", data, ...put], { ...misleading, AWS_REGION: "" })).toEqual({
    ...done(
      '+ project "default"\n    + environments/development\n1 created, 0 updated, 0 removed, 0 unchanged.\n',
    ),
    err: 'The table "burgee" is empty.\n',
  });

  const list = () => runProcess(["--data", data, "project", "list"], { ...profiles, AWS_PROFILE: "bare" });
  const [one, other] = await Promise.all([list(), list()]);
  const listed = done("PROJECT  ENVIRONMENTS\ndefault  development\n");
  const inUse = `the data in ${data} is in use by another process; stop it, or use the --endpoint that its npm start printed`;
  expect([one, other]).toContainEqual(listed);
  // The two may also have come one after the other.
  for (const each of [one, other]) expect([refused(inUse), listed]).toContainEqual(each);
});

it("a command that only reads, or a dry run, makes no table of a mistyped name", async () => {
  const at = ["--endpoint", line.burgee.wire.endpoint, "--table", "typo"];
  const missing = refused(
    `there is no table "typo" in ${line.burgee.wire.endpoint}: name its table with --table`,
  );

  expect(await run([...at, "key", "list"])).toEqual(missing);
  expect(await run([...at, "apply", "infra/demo.json", "--dry-run"])).toEqual(missing);
});

it("the data may be AWS, where no table is made", async () => {
  const settings = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: line.burgee.wire.endpoint, TABLE_NAME: "not-there" };

  expect(await runProcess(["key", "list"], settings)).toEqual(
    refused(
      'there is no table "not-there" in eu-central-1: deploy the service first, or name its table with --table',
    ),
  );
});

describe("a key of a state file, for a table on AWS", () => {
  const stateWith = (key: string) => ({
    projects: [{ id: "a b", environments: [] }],
    apiKeys: [
      {
        name: "ci",
        key,
        permissions: [{ permission: "ADMIN" }, { permission: "UPDATE_FEATURE", project: "a b" }],
      },
    ],
  });
  const digits = "0123456789abcdef".repeat(4);

  it.each([
    ["16 characters", "aaaaaaaaaaaaaaaa", false],
    ["21 letters and digits", "1aB".repeat(7), false],
    ["22 letters and digits", "1aB".repeat(8).slice(0, 22), true],
    ["31 hexadecimal digits", digits.slice(0, 31), false],
    ["32 hexadecimal digits", digits.slice(0, 32), true],
    ["38 digits", "0123456789".repeat(4).slice(0, 38), false],
    // A token as Unleash 6 makes it.
    ["a token of Unleash", `*:development.${digits.slice(0, 56)}`, true],
  ])("of %s (%s) is strong enough: %j", (_, key, isStrong) => {
    const check = () => requireStrongKeys(stateSchema.parse(stateWith(key)));

    if (isStrong) expect(check).not.toThrow();
    else expect(check).toThrow("needs at least 128 bits");
  });

  it("is stored if it is strong enough, and else refused with the command that makes one", async () => {
    const apply = (key: string) => {
      const { table } = line.burgee.session;
      const settings = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: line.burgee.wire.endpoint, TABLE_NAME: table };
      return runProcess(["apply", "-", "--yes"], { ...settings, input: JSON.stringify(stateWith(key)) });
    };

    expect(await apply("1aB".repeat(7))).toEqual(
      refused(
        `a key for a table on AWS needs at least 128 bits, as 22 letters and digits have:
    the key of "ci"; make another: key create ci --permission ADMIN --permission 'UPDATE_FEATURE:a b'`,
      ),
    );
    expect(line.writes()).toEqual([]);
    expect(await apply(digits)).toMatchObject({ code: 0 });
  });
});
