/** What the deployment commands do to a stage, step by step, in an account that is a file. */
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it as test } from "vitest";
import { runNode } from "../support/program.ts";
import { hasTerminal } from "../support/terminal.ts";
import { openAccount } from "./account.ts";

/** The tests wait for processes, and each has an account of its own. */
const it = test.concurrent;

const parameters = { Bucket: { Type: "String" }, RateLimit: { Default: 50 }, EventBusArn: { Default: "" } };
const template = { Parameters: parameters, Resources: {} };
const stack = { status: "UPDATE_COMPLETE", parameters: { RateLimit: "7" } };
const deployed = { status: "UPDATE_COMPLETE", outputs: { TableName: "t", Url: "http://127.0.0.1:1" } };
const afterExecution = { stack: deployed };

const open = (account: object) => openAccount({ template, afterExecution, ...account });
const fails = (line: string) => ({ code: 1, err: expect.stringContaining(line) });

it("previews of two commits store each template in a place of its own, and nothing else", async () => {
  const { run, change, calls } = open({ stack });

  await run("preview");
  change({ template: { ...template, Resources: { Other: {} } } });
  await run("preview");

  const stored = calls().filter(({ name }) => name === "putObject");
  const made = calls().filter(({ name }) => name === "createChangeSet");
  const urls = calls().flatMap(({ TemplateURL }) => TemplateURL ?? []);
  const [first, second] = stored.map(({ Key }) => Key);
  expect(stored).toHaveLength(2);
  expect(first).toMatch(/^previews\/\w{8}\/template\.json$/);
  expect(second).not.toBe(first);
  for (const { ChangeSetName } of made) expect(ChangeSetName).toMatch(/^burgee-prod-preview-\d+$/);
  expect(urls).toEqual([first, second].map((key) => `https://s3.us-east-1.amazonaws.com/bucket/${key}`));
});

it("a setting that is new and empty is no change", async () => {
  const { run } = open({ stack: { ...stack, parameters: { RateLimit: "7", Older: "1" } } });

  const { out } = await run("preview");

  expect(out).not.toContain("EventBusArn");
  expect(out).toContain("| parameter | Older | 1 → **removed** |");
});

it("a new stage is not made without a consent, as a mistyped region would be one", async () => {
  const question = "Create burgee-prod in us-east-1, with an empty table? There is no terminal to ask at";

  expect(await open({}).run("deploy")).toMatchObject(fails(question));
});

it.each(["deploy", "preview", "status"])("%s needs a region before it fetches anything", async (command) => {
  const { folder, program } = {
    folder: mkdtempSync(path.join(tmpdir(), "burgee-test-")),
    program: path.resolve("dist/tools/deploy.mjs"),
  };
  const env = { PATH: process.env.PATH, HOME: folder };

  const ended = await runNode([program, command, "--stage", "prod"], { cwd: folder, env });

  expect(ended).toEqual({ code: 1, out: "", err: "burgee: there is no AWS region: set AWS_REGION\n" });
  expect(readdirSync(folder)).toEqual([]);
});

it("an older commit's deployment asks before it loses a setting that it does not know", async () => {
  const { run } = open({ stack: { ...stack, parameters: { Newer: "1" } } });

  const lost = "the setting Newer (1), which this commit does not know";
  const { err } = await run("deploy");
  expect(err).toContain(`   !  settings     this takes away ${lost}\n`);
  expect(err).toContain(`Deploy this to burgee-prod, without ${lost}? There is no terminal to ask at`);
});

it("a first deployment that never ran is made anew, with the file of settings", async () => {
  const { run, calls, write } = open({ stack: { ...stack, status: "REVIEW_IN_PROGRESS" } });
  write("burgee-prod.yml", "RateLimit: 9\n");

  const { code } = await run("deploy", "--yes", "--settings", "burgee-prod.yml");

  expect(code).toBe(0);
  const created = calls().find(({ name }) => name === "createChangeSet");
  expect(created).toMatchObject({ ChangeSetType: "CREATE" });
  expect(created?.Parameters).toContainEqual({ ParameterKey: "RateLimit", ParameterValue: "9" });
});

describe("of two deployments at once, the second is refused", () => {
  const refused = fails(
    "burgee: nothing was changed: another deployment has changed burgee-prod since this one began; run the command again\n",
  );

  it.each([
    ["settings", { RateLimit: "9" }],
    ["code", { RateLimit: "7", Archives: "deployments/2" }],
  ])("before it takes back the %s of the first", async (_, changed) => {
    const { run, calls } = open({ stack, meanwhile: { stack: { ...stack, parameters: changed } } });

    expect(await run("deploy")).toMatchObject(refused);
    expect(calls().map(({ name }) => name)).not.toContain("executeChangeSet");
  });

  it("also while it asks, as the first deletes its change set", async () => {
    const { run } = open({ stack, overtaken: true });

    expect(await run("deploy")).toMatchObject(refused);
  });
});

it("a removal writes the settings, beside a file that is there already", async () => {
  const { run, change, read } = open({ stack });

  await run("remove", "--yes");
  change({ stack: { ...stack, parameters: { RateLimit: "8" } } });
  const { err } = await run("remove", "--yes");

  const [, file = ""] = /the settings are in (burgee-prod-\d+\.yml), for --settings/.exec(err) ?? [];
  expect(read("burgee-prod.yml")).toBe('RateLimit: "7"\n');
  expect(read(file)).toBe('RateLimit: "8"\n');
});

it.each([
  ["deploy", "DELETE_FAILED"],
  ["preview", "DELETE_FAILED"],
  ["rollback", "DELETE_FAILED"],
  ["deploy", "CREATE_FAILED"],
  ["deploy", "ROLLBACK_COMPLETE"],
  ["deploy", "ROLLBACK_FAILED"],
  ["deploy", "UPDATE_ROLLBACK_FAILED"],
])("%s of a stack that is %s says what to do first", async (name, status) => {
  const { run, calls } = open({ stack: { ...stack, status } });

  const advice = `burgee-prod is ${status}; "A failed deployment" in docs/RUNBOOK.md says what that means`;
  expect(await run(name, ...(name === "preview" ? [] : ["--yes"]))).toMatchObject(fails(advice));
  expect(calls().map(({ name }) => name)).not.toContain("createChangeSet");
});

it("a removal that failed is repeated", async () => {
  const { run } = open({ stack: { ...stack, status: "DELETE_FAILED" } });

  expect(await run("remove", "--yes")).toMatchObject({ code: 0 });
});

it("a deployment is tested before it is protected, and says if it could not be", async () => {
  const { run, calls } = open({ stack, denied: "setStackPolicy" });

  const advice = "the policies are in docs/OPERATIONS.md#permissions";
  expect(await run("deploy")).toMatchObject(
    fails(`the call of AWS failed: AccessDenied: a reason; ${advice}\n`),
  );
  expect(calls().filter(({ name }) => name === "invoke")).toHaveLength(3);
});

it("a deployment that was rolled back says so, also if it could not be protected", async () => {
  const before = { Archives: "deployments/1", Bucket: "bucket" };
  const { run } = open({
    stack: { ...stack, parameters: before },
    afterExecution: [{ stack: deployed, failed: ["GetItem: a reason"] }, { stack: deployed }],
    denied: "setStackPolicy",
  });

  const { code, err } = await run("deploy");

  expect({ code, err }).toMatchObject(fails("burgee: rolled back to deployments/1\n"));
  expect(err).toContain("burgee: the stage is not protected: the call of AWS failed: AccessDenied: a reason");
});

it("the failures of a deployment are those of its own events, on whichever page", async () => {
  const failed = (LogicalResourceId: string, ClientRequestToken?: string) => ({
    ...{ LogicalResourceId, ClientRequestToken, ResourceStatus: "UPDATE_FAILED" },
    ResourceStatusReason: "a reason",
  });
  const events = [failed("Second"), failed("First"), failed("Before", "another")];
  const rolledBack = { ...stack, status: "UPDATE_ROLLBACK_COMPLETE" };
  const { run } = open({ stack, afterExecution: { stack: rolledBack, events } });

  const { err } = await run("deploy");

  expect(err).toContain("burgee: UPDATE_FAILED First: a reason\nburgee: UPDATE_FAILED Second: a reason\n");
  expect(err).not.toContain("Before");
});

it("a deployment of settings that does not work is rolled back to the settings before", async () => {
  const before = { Archives: "deployments/1", Bucket: "bucket", RateLimit: "7" };
  const archived = { ...parameters, Archives: {} };
  const { run, calls, write } = open({
    stack: { ...stack, parameters: before },
    template: { ...template, Parameters: archived },
    afterExecution: [{ stack: deployed, failed: ["GetItem: a reason"] }, { stack: deployed }],
  });
  write("own.yml", "RateLimit: 9\n");

  const ended = await run("deploy", "--settings", "own.yml");

  expect(ended).toMatchObject(fails("burgee: rolled back to deployments/1\n"));
  expect(ended.err).toContain("does not work: the function burgee-prod-tags responds GetItem: a reason\n");
  const created = calls().filter(({ name }) => name === "createChangeSet");
  const given = created.map(({ Parameters }) => Object(Parameters));
  expect(given[0]).toContainEqual({ ParameterKey: "RateLimit", ParameterValue: "9" });
  expect(given[1]).toContainEqual({ ParameterKey: "RateLimit", ParameterValue: "7" });
  expect(created[1]?.TemplateURL).toMatch(/\/bucket\/deployments\/1\/template\.json$/);
});

it("a deployment whose functions cannot be called from here does not pass, and is protected", async () => {
  const { run, calls } = open({ stack, denied: "invoke" });

  expect(await run("deploy")).toMatchObject(
    fails("it is deployed, but was not tested: the call of AWS failed: AccessDenied: a reason"),
  );
  expect(calls().map(({ name }) => name)).toContain("setStackPolicy");
});

it("settings that change no resource are named, as the stage does not keep them", async () => {
  const status = { Status: "FAILED", StatusReason: "The submitted information didn't contain changes." };
  const { run, write } = open({ stack, changeSet: status, changes: [] });
  write("own.yml", "RateLimit: 7\nEventBusArn: arn:aws:events:::event-bus/b\n");

  const line = "There are no changes to deploy. The stage does not keep EventBusArn: no resource changes.\n";
  expect(await run("preview", "--settings", "own.yml")).toMatchObject({ code: 0, out: line });
  expect(await run("deploy", "--settings", "own.yml")).toMatchObject({
    code: 0,
    err: expect.stringContaining(line),
  });
  expect(await run("preview")).toMatchObject({ code: 0, out: "There are no changes to deploy.\n" });
});

it("outputs alone are deployed, although their change set lists no resource", async () => {
  const { run, calls } = open({ stack, changes: [] });

  expect(await run("preview")).toMatchObject({ code: 0, out: expect.not.stringContaining("no changes") });
  await run("deploy");
  expect(calls().map(({ name }) => name)).toContain("executeChangeSet");
});

it("a change set that failed is refused, also with changes", async () => {
  const { run, calls } = open({ stack, changeSet: { Status: "FAILED", StatusReason: "a reason" } });

  expect(await run("deploy")).toMatchObject(
    fails("nothing was changed: CloudFormation refuses it: a reason"),
  );
  expect(calls().map(({ name }) => name)).not.toContain("executeChangeSet");
});

it("a table of changes counts what may follow, if something may", async () => {
  const Details = [{ Evaluation: "Dynamic", ChangeSource: "ResourceAttribute" }];
  const of = (LogicalResourceId: string) => ({ LogicalResourceId, Action: "Modify", ResourceType: "T" });
  const { run, change } = open({ stack });

  const { out: alone } = await run("preview");
  change({
    stack,
    changes: [{ ResourceChange: { ...of("A"), Details: [{}] } }, { ResourceChange: { ...of("B"), Details } }],
  });
  const { out } = await run("preview");

  expect(alone).not.toContain("may follow");
  expect(out).toContain("| may follow | 1 more | as they refer to these |");
});

test.skipIf(!hasTerminal())(
  "an update with its messages in a file asks nothing, as a question would not be shown",
  async () => {
    const { type } = open({ stack });

    expect(await type("deploy --stage prod 2>log", () => "")).toMatchObject({ code: 0 });
  },
);

it.each(["null", "", '"text"', "no JSON"])(
  "a deployment whose functions respond with %j does not work, and is rolled back",
  async (payload) => {
    const before = { Archives: "deployments/1", Bucket: "bucket" };
    const { run } = open({
      stack: { ...stack, parameters: before },
      afterExecution: [
        { stack: deployed, payload },
        { stack: deployed, payload: null },
      ],
    });

    const { code, err } = await run("deploy");

    expect({ code, err }).toMatchObject(fails("burgee: rolled back to deployments/1\n"));
    expect(err).toContain(`the function burgee-prod-tags responds ${payload || "nothing"}\n`);
  },
);

it("a removal says what it deletes before it asks", async () => {
  expect(await open({ stack }).run("remove")).toMatchObject(
    fails("Remove burgee-prod in us-east-1, with its logs? The table is kept, except in dev and staging."),
  );
});

it("a stage is not removed if its settings cannot be written", async () => {
  const { run, calls, link } = open({ stack });
  link("burgee-prod.yml", "not-there/burgee-prod.yml");

  expect(await run("remove", "--yes")).toMatchObject({ code: 1 });
  expect(calls().map(({ name }) => name)).not.toContain("deleteStack");
});

it("a protected stack is not removed, and nothing is written", async () => {
  const { run, read } = open({ stack, denied: "deleteStack" });

  expect(await run("remove", "--yes")).toMatchObject(fails("the call of AWS failed: AccessDenied: a reason"));
  expect(read("burgee-prod.yml")).toBeUndefined();
});

it("the framework gets no credentials, and its reason is shown", async () => {
  const { run } = open({ stack, unpackaged: "unrecognized property 'oops'" });

  expect(await run("deploy")).toMatchObject(
    fails("nothing was packaged:\nError:\nunrecognized property 'oops'"),
  );
});

it.each([
  [
    "",
    { code: 1, err: "does not work: GET http://127.0.0.1:1/api/admin/features/smoke-test/tags returned 403" },
  ],
  [
    "s3://b/a.pem",
    { code: 0, err: "burgee: not tested from here: GET http://127.0.0.1:1/api/admin/projects needs a" },
  ],
])("a 403 of the gateway with the truststore %j", async (Truststore, { code, err }) => {
  const after = { ...deployed, parameters: { Truststore } };
  const { run } = open({ stack, gateway: 403, afterExecution: { stack: after } });

  expect(await run("deploy")).toMatchObject({ code, err: expect.stringContaining(err) });
});

it("a 429 of the gateway, as others use up its limit, takes back no deployment that raises it", async () => {
  const before = { Archives: "deployments/1", Bucket: "bucket" };
  const { run, calls } = open({ stack: { ...stack, parameters: before }, gateway: 429 });

  const line =
    "not tested from here: GET http://127.0.0.1:1/api/admin/projects returned 429: RateLimit is used up\n";
  expect(await run("deploy")).toMatchObject({ code: 0, err: expect.stringContaining(line) });
  expect(calls().filter(({ name }) => name === "executeChangeSet")).toHaveLength(1);
});

it("the status lacks the framework's address, which is disabled with mutual TLS", async () => {
  const outputs = { HttpApiUrl: "https://a.example.com", Url: "https://flags.example.com" };
  const { run } = open({ stack: { ...stack, outputs } });

  const { out } = await run("status");

  expect(out).toContain("Url: https://flags.example.com\n");
  expect(out).not.toContain("a.example.com");
});

const serving = { Archives: "deployments/2-abc-1f2e", Bucket: "bucket", RateLimit: "7" };
const earlier = "deployments/1-abc-9d8c";
const second = {
  ...{ stack: { ...stack, parameters: serving }, changeSet: { ExecutionStatus: "AVAILABLE" } },
  template: { ...template, Parameters: { ...parameters, Archives: {} }, Metadata: { Before: earlier } },
  afterExecution: { stack: { ...deployed, parameters: serving }, changeSet: {} },
};
const rollbacks = (calls: Record<string, string>[]) =>
  calls.filter(({ ChangeSetName }) => ChangeSetName === "burgee-prod-rollback").map(({ name }) => name);

it("a deployment leaves the change set of its rollback behind, with the settings as they are", async () => {
  const { run, calls } = open(second);

  expect(await run("deploy")).toMatchObject({ code: 0 });

  expect(rollbacks(calls()).slice(0, 2)).toEqual(["deleteChangeSet", "createChangeSet"]);
  const made = calls()
    .filter(({ name }) => name === "createChangeSet")
    .at(-1);
  expect(made?.TemplateURL).toMatch(/\/bucket\/deployments\/1-abc-9d8c\/template\.json$/);
  expect(made?.Parameters).toEqual([
    { ParameterKey: "Archives", ParameterValue: earlier },
    { ParameterKey: "Bucket", ParameterValue: "bucket" },
    { ParameterKey: "RateLimit", ParameterValue: "7" },
  ]);
});

it("a deployment that failed leaves it too, as CloudFormation has deleted the one before", async () => {
  const failed = { ...second.stack, status: "UPDATE_ROLLBACK_COMPLETE" };
  const { run, calls } = open({ ...second, afterExecution: { stack: failed, changeSet: {} } });

  expect(await run("deploy")).toMatchObject({ code: 1 });
  expect(rollbacks(calls())).toContain("createChangeSet");
});

it("a deployment whose rollback cannot be prepared says so", async () => {
  const { run } = open({ ...second, denied: "deleteChangeSet" });

  expect(await run("deploy")).toMatchObject({
    code: 0,
    err: expect.stringContaining(
      "burgee: no rollback is prepared, so on-call has none: the call of AWS failed",
    ),
  });
});

it("a rollback executes the prepared change set, and shows it; it makes none and reads no archive", async () => {
  const Parameters = [{ ParameterKey: "Archives", ParameterValue: earlier }];
  const { run, calls } = open({ ...second, changeSet: { ExecutionStatus: "AVAILABLE", Parameters } });

  const { code, err } = await run("rollback", "--yes");

  expect(code).toBe(0);
  expect(err).toContain(`| parameter | Archives | ${serving.Archives} → ${earlier} |`);
  const names = calls().map(({ name }) => name);
  expect(names).toContain("executeChangeSet");
  for (const name of ["createChangeSet", "deleteChangeSet", "getObject"]) expect(names).not.toContain(name);
});

it("a rollback without a prepared change set makes one", async () => {
  const { run, calls } = open({ ...second, changeSet: {} });

  expect(await run("rollback", "--yes")).toMatchObject({ code: 0 });
  expect(rollbacks(calls())).toEqual(expect.arrayContaining(["createChangeSet", "executeChangeSet"]));
});

it("a rollback that is not prepared says who can make one, before AWS denies it", async () => {
  const { run } = open({ ...second, changeSet: {}, denied: "getObject" });

  const { code, err } = await run("rollback", "--yes");

  expect(code).toBe(1);
  expect(err).toContain(
    "burgee: no rollback is prepared; only a deployer can make one\nburgee: the call of AWS",
  );
});

it("a deployment whose credentials expire says that CloudFormation goes on; the next one tests and protects it", async () => {
  const { run, change, calls } = open({
    ...second,
    afterExecution: { ...second.afterExecution, denied: "describeStacks" },
  });

  const { code, err } = await run("deploy");
  expect(code).toBe(1);
  expect(err).toContain(
    "burgee: CloudFormation is changing burgee-prod, and goes on if this command ends early\n",
  );
  const unchanged = { Status: "FAILED", StatusReason: "The submitted information didn't contain changes." };
  change({ ...second, changeSet: unchanged, changes: [] });
  expect(await run("deploy")).toMatchObject({ code: 0 });

  const names = calls().map(({ name }) => name);
  for (const name of ["invoke", "setStackPolicy", "updateTerminationProtection"])
    expect(names.slice(names.indexOf("executeChangeSet"))).toContain(name);
});

it.each([["status"], ["rollback", "--yes"], ["deploy", "--same-code", "--yes"]])(
  "%s packages nothing, so it fetches no framework",
  async (command, ...options) => {
    const { run, remove, read } = open(second);
    remove(".cache");

    expect(await run(command, ...options)).toMatchObject({ code: 0 });
    expect(read(".cache")).toBeUndefined();
  },
);

it("--same-code changes settings of the template that is deployed, and needs no sources", async () => {
  const { run, calls, write } = open({ ...second, unpackaged: "the framework was run" });
  write("own.yml", "RateLimit: 9\n");

  expect(await run("deploy", "--settings", "own.yml", "--same-code")).toMatchObject({ code: 0 });

  const [made] = calls().filter(({ name }) => name === "createChangeSet");
  expect(made?.TemplateURL).toContain(serving.Archives);
  // Costs and backups find a stage by it.
  expect(made?.Tags).toContainEqual({ Key: "stage", Value: "prod" });
  expect(made?.Parameters).toContainEqual({ ParameterKey: "Archives", ParameterValue: serving.Archives });
  expect(made?.Parameters).toContainEqual({ ParameterKey: "RateLimit", ParameterValue: "9" });
  expect(calls().map(({ name }) => name)).not.toContain("putObject");
  write("own.yml", "NewerSetting: 1\n");
  expect(await run("deploy", "--settings", "own.yml", "--same-code")).toMatchObject(
    fails("own.yml: there is no setting NewerSetting"),
  );
});

describe("a deployment with --watch", () => {
  const alarm = "arn:aws:cloudwatch:us-east-1:1:alarm:burgee-prod-AdminErrorsAlarm-1";
  const monitored = {
    ...{
      status: "UPDATE_COMPLETE",
      outputs: { WatchedAlarm: alarm },
      parameters: { ...serving, Monitoring: "true" },
    },
  };
  const watched = {
    ...{ ...second, stack: monitored },
    template: {
      ...second.template,
      Parameters: { ...second.template.Parameters, Monitoring: { Default: "true" } },
    },
  };
  const configurations = (calls: Record<string, string>[]) =>
    calls.filter(({ name }) => name === "createChangeSet").map((call) => call.RollbackConfiguration);

  it("has CloudFormation go back if the alarm on failed changes fires; a rollback and another deployment do not", async () => {
    const { run, calls } = open(watched);

    await run("deploy", "--watch", "10");
    await run("deploy");

    const none = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };
    const RollbackTriggers = [{ Arn: alarm, Type: "AWS::CloudWatch::Alarm" }];
    expect(configurations(calls())).toEqual([
      { RollbackTriggers, MonitoringTimeInMinutes: 10 },
      none,
      none,
      none,
    ]);
  });

  it.each(["ten", "181", ""])(
    "is refused with %j minutes, which CloudFormation would refuse",
    async (minutes) => {
      const { run } = open(watched);

      expect(await run("deploy", "--watch", minutes)).toMatchObject({
        code: 2,
        err: expect.stringContaining("It must be a number of minutes, up to 180"),
      });
    },
  );

  it("says by what it was rolled back", async () => {
    const event = {
      ...{ LogicalResourceId: "burgee-prod", ResourceStatus: "UPDATE_ROLLBACK_IN_PROGRESS" },
      ResourceStatusReason: "the alarm fired",
    };
    const rolledBack = { ...monitored, status: "UPDATE_ROLLBACK_COMPLETE" };
    const { run } = open({
      ...watched,
      afterExecution: { stack: rolledBack, events: [event], changeSet: {} },
    });

    const ended = await run("deploy", "--watch", "10");

    expect(ended).toMatchObject(fails("burgee: UPDATE_ROLLBACK_IN_PROGRESS burgee-prod: the alarm fired\n"));
  });

  it.each([
    [{ ...monitored, outputs: {} }, []],
    [monitored, ["--settings", "own.yml", "--yes"]],
  ])("is refused without that alarm, before anything is stored", async (before, given) => {
    const { run, calls, write } = open({ ...watched, stack: before });
    write("own.yml", "Monitoring: false\n");

    expect(await run("deploy", "--watch", "10", ...given)).toMatchObject(
      fails("burgee-prod has no alarm to --watch: it needs an earlier deployment with Monitoring"),
    );
    expect(calls().map(({ name }) => name)).not.toContain("putObject");
  });
});
