/**
 * Deploys prod to an emulator of AWS by the operator's own commands, calls it, deploys it again, rolls it back, and
 * removes it. CloudFormation, the roles (a call that a role does not grant is refused), the routes, the events with
 * their base64 flag, the functions under Node 24 and the table are realistic enough to fail.
 *
 * The emulator does not check: values of properties (test/deploy does), throttling, access logs, traces, whether an
 * alarm fires, encryption, arm64, quotas, nor durations. Its gateway speaks HTTP instead of HTTPS.
 */
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import demo from "../../infra/demo.json" with { type: "json" };
import { confirmationOn, openAt, openChromium, strangers } from "../browser/chromium.ts";
import { linkOfAgent } from "../support/agent.ts";
import { secondsUntilSeen, startSdks } from "../support/sdks.ts";
import { hasTerminal } from "../support/terminal.ts";
import { call, everyKind, putTag } from "./requests.ts";
import { openStage, printedBy, type Stage } from "./stage.ts";

let prod: Stage;
let local: Burgee;
let url: string;
let table: string;

beforeAll(async () => {
  prod = await openStage("prod");
  await prod.bootstrap();
  local = await startBurgee();
});
afterAll(async () => {
  await local?.stop();
  await prod?.close();
});

const admin = (command: string) => prod.shell(`npm run --silent admin -- --table ${table} ${command}`);
const aws = async (command: string) => (await prod.shell(`aws ${command}`)).out.trim();
const statusOfPut = async () => (await call(url, putTag("team-d"))).status;
const isProtected = (name = "") =>
  aws(`dynamodb describe-table --table-name ${name} --query Table.DeletionProtectionEnabled`);
const isStackProtected = () =>
  aws(
    "cloudformation describe-stacks --stack-name burgee-prod --query Stacks[0].EnableTerminationProtection",
  );

/** Adds a resource that waits for a signal that never comes: the deployment fails after all else has changed. */
function addFailing(): void {
  const failing = `
  Handle: { Type: AWS::CloudFormation::WaitConditionHandle }
  Never:
    Type: AWS::CloudFormation::WaitCondition
    DependsOn: [HttpApiIntegrationTags, HttpApiIntegrationVariants]
    Properties: { Handle: { Ref: Handle }, Timeout: "1" }
`;
  prod.change("infra/aws/core.yml", (content) => content.replace("\nextensions:", `${failing}\nextensions:`));
}

/** Withdraws the permission for a call from the first role that has it. */
function breakRoles(call = "GetItem"): void {
  prod.change("infra/aws/roles.yml", (content) =>
    content.replace(`dynamodb:${call}`, "dynamodb:DescribeTable"),
  );
}

/** Changes the status of a tag update, and commits it. */
function changeStatus(to: number): Promise<unknown> {
  prod.change("functions/tags.ts", (content) => content.replace("status: 201", `status: ${to}`));
  return prod.commit();
}

describe("the first deployment", () => {
  it("leaves no table, function or log when it fails", async () => {
    addFailing();
    await prod.shell("echo 'RateLimit: 40' > first.yml");

    const { code, err } = await prod.deploy("--settings", "first.yml");

    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("burgee: CREATE_FAILED Never: ") });
    expect(err).toContain("it did not complete; the stack burgee-prod is ROLLBACK_COMPLETE");
    expect(await aws("dynamodb list-tables --query TableNames --output text")).toBe("");
    expect(await aws("lambda list-functions --query Functions[].FunctionName --output text")).toBe("");
    expect(await aws("logs describe-log-groups --query logGroups --output text")).toBe("");
  });

  it("then is removed, takes the settings that the removal wrote, and protects table and stack", async () => {
    breakRoles();
    expect(await prod.deploy()).toMatchObject({ code: 1, err: expect.stringContaining("RUNBOOK.md") });
    await prod.shell("npm run --silent remove -- --stage prod --yes && mv burgee-prod.yml removed.yml");

    const { code, err } = await prod.deploy("--settings", "removed.yml");

    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("the deployment was done, but does not work"),
    });
    const { out } = await prod.npm("status");
    expect(out).toMatch(/^RateLimit: 40$/m);
    table = printedBy(out, "TableName");
    expect([await isProtected(table), await isStackProtected()]).toEqual(["true", "true"]);
  });

  it("cannot be rolled back, as there is none before", async () => {
    expect(await prod.npm("rollback", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no deployment can be rolled back to"),
    });
  });

  it("that does not work is followed by one that does, and prints the address and the table", async () => {
    prod.restore();
    await prod.commit();

    const deployed = await prod.deploy();

    expect(deployed).toMatchObject({ code: 0, table });
    ({ url } = deployed);
    expect(url).toMatch(/^http:\/\/\w+\.execute-api\.localhost:\d+$/);
    expect(table).toMatch(/^burgee-prod-Table-/);
  });

  it("accepts no key until the command line has filled the table", async () => {
    expect(await call(url, putTag("team-b"))).toMatchObject({ status: 401 });

    const applied = await admin("apply infra/demo.json");

    const { projects, features, apiKeys } = demo;
    const count = [projects, features, apiKeys].flat().length;
    expect(applied).toMatchObject({
      code: 0,
      out: expect.stringContaining(`\n${count} created, 0 updated, 0 removed, 0 unchanged.\n`),
    });
  });
});

describe("what is deployed", () => {
  it.each(everyKind)("responds to %s as the local server does: %d", async (_, status, request) => {
    const answer = await call(url, request);

    expect(answer.status).toBe(status);
    expect(answer).toEqual(await call(local.url, request));
  });

  it("reaches SDKs: those that poll each second evaluate a patch 7 seconds after it at most", async () => {
    const sdks = await startSdks(url);

    // The polling interval, the 5 seconds for which a document is kept, and one.
    expect(Math.max(...(await secondsUntilSeen(sdks, "amber")))).toBeLessThanOrEqual(1 + 5 + 1);
    await expect.poll(() => sdks.statuses.at(-1), { timeout: 10_000 }).toBe(304);
  });
});

describe("the page of the stage", () => {
  // The emulator's address in the form that clients accept without TLS.
  const address = () =>
    url.replace(
      /^http:\/\/(\w+)\.execute-api\.localhost(:\d+)$/,
      "http://127.0.0.1$2/_aws/execute-api/$1/$default",
    );

  it("opens the link of an agent, which a person applies with another key, and can call no other host", async () => {
    const browser = await openChromium();
    onTestFinished(() => browser.close());
    const place = { project: "default", feature: "checkout", environment: "production" };
    const proposal = { ...place, patch: [{ op: "add", path: "/variants/lilac", value: { weight: 0 } }] };
    const link = await linkOfAgent(address(), "burgee-reader-key-for-this-machine", proposal);
    const { page, requests, complaints } = await openAt(browser, link);
    const shown = () => expect.poll(() => confirmationOn(page).innerText(), { timeout: 30_000 });

    await page.getByLabel("API key", { exact: true }).last().fill("burgee-demo-key-for-this-machine");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await shown().toContain("Nothing has changed since it was made.");
    await page.getByRole("button", { name: "Apply in production", exact: true }).click();
    await shown().toContain("Applied in production");

    expect(link).toMatch(`${address()}/patch#`);
    await page.getByRole("link", { name: "All flags" }).click();
    for (const { name } of demo.features) await page.getByRole("link", { name, exact: true }).waitFor();
    expect([strangers(requests, link), complaints]).toEqual([[], []]);
    const sent = `fetch("${local.url}/patch", { mode: "no-cors" }).then(() => "sent", () => "refused")`;
    expect(await page.evaluate(sent)).toBe("refused");
    expect(complaints.join()).toContain("Content Security Policy");
  });
});

describe("another deployment", () => {
  it("of the same sources changes nothing", async () => {
    const { code, err } = await prod.deploy();

    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining("There are no changes to deploy."),
    });
    expect(await statusOfPut()).toBe(201);
  });

  it("that fails leaves the service unchanged, and is not skipped when it is retried", async () => {
    addFailing();

    const endings = [await prod.deploy(), await prod.deploy()];

    const failure = { code: 1, err: expect.stringContaining("burgee-prod is UPDATE_ROLLBACK_COMPLETE") };
    expect(endings).toMatchObject([failure, failure]);
    expect(await statusOfPut()).toBe(201);
  });

  it("is shown by a preview: a changed function, and another truststore", async () => {
    const settings = [
      "DomainName: flags.dev",
      "CertificateArn: arn:aws:acm:us-east-1:000000000000:certificate/a",
      "Truststore: s3://burgee/truststore.pem",
    ];
    await prod.shell(`echo '${settings.join("\n")}' > tls.yml`);
    await changeStatus(200);

    const { code, out } = await prod.npm("preview", "--settings", "tls.yml");

    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^\| parameter \| Archives \| deployments/m),
    });
    expect(out).toContain("| changed | TagsLambdaFunction | AWS::Lambda::Function: Code |");
    expect(out).toContain('| parameter | Truststore | "" → s3://burgee/truststore.pem |');
    // The emulator calls a resource that a condition turns on replaced.
    expect(out).toMatch(/\| (added|\*\*replaced\*\*) \| Domain \| AWS::ApiGatewayV2::DomainName\b/);
    expect(await statusOfPut()).toBe(201);
  });

  it("of a changed function replaces the code, and keeps the address, the table and the data", async () => {
    // An address that cannot be reached from here says nothing about the release.
    const { code, out, err } = await prod.shell("npm run --silent deploy -- --stage prod --yes", {
      NODE_OPTIONS: "--import=data:text/javascript,globalThis.fetch=()=>Promise.reject(Error('refused'))",
    });

    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining(`TableName: ${table}\n`),
    });
    expect(out).toContain(`Url: ${url}\n`);
    expect(err).toMatch(/burgee: not tested from here: GET \S+ failed: refused\n/);

    const tags = expect.arrayContaining([{ type: "simple", value: "team-b" }]);
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 200, json: { tags } });
  });

  it("that does not work is rolled back by itself", async () => {
    breakRoles("UpdateItem");

    const { code, err } = await prod.deploy();

    expect(code).toBe(1);
    expect(err).toContain(
      "the deployment was done, but does not work: the function burgee-prod-tags responds UpdateItem: AccessDeniedException",
    );
    expect(err).toMatch(/burgee: rolled back to deployments\/\w+-\w{7,}/);
    expect(await statusOfPut()).toBe(200);
  });

  it.skipIf(!hasTerminal())("that does not work is kept if its rollback is declined", async () => {
    breakRoles("Query");

    const { out } = await prod.shell(`
      mkfifo typed
      script -qefc "npm run --silent deploy -- --stage prod" shown <typed >/dev/null &
      exec 3>typed
      until ! kill -0 $! || grep -q "(y/N)" shown; do sleep 1; done
      echo y >&3
      until ! kill -0 $! || grep -q "Roll back to" shown; do sleep 1; done
      echo n >&3
      wait $! || grep burgee: shown
      rm typed shown`);

    expect(out).toContain(
      "does not work: the function burgee-prod-variants responds Query: AccessDeniedException",
    );
    expect(out).toContain(
      "burgee: the deployment was kept; to roll it back: npm run rollback -- --stage prod",
    );
    expect(out).not.toContain("nothing was changed");
    expect(await prod.npm("rollback", "--yes")).toMatchObject({ code: 0 });
    expect(await statusOfPut()).toBe(200);
  });
});

describe("the rollback", () => {
  it("goes to the last deployment that served, and names both", async () => {
    const { code, err } = await prod.npm("rollback", "--yes");

    expect(code).toBe(0);
    expect(err).toMatch(/\| parameter \| Archives \| deployments\/\S+ → deployments\/\S+ \|/);
    expect(await statusOfPut()).toBe(201);
  });

  it("does not prevent a deployment of the code that was rolled back", async () => {
    await changeStatus(200);
    await prod.shell("printf 'DocumentCacheSeconds: 0\\nRateLimit: 30\\n' > own.yml");

    const { code, err, out } = await prod.deploy("--settings", "own.yml");

    expect(code).toBe(0);
    expect(err).toContain("| parameter | RateLimit | 40 → 30 |");
    expect(out).toMatch(/^RateLimit: 30$.*^DocumentCacheSeconds: 0$/ms);
    expect(await statusOfPut()).toBe(200);
  });
});

describe("settings", () => {
  it("are kept by the stage; a line that a file lacks is named, and a protection is not taken away in silence", async () => {
    await prod.shell("echo 'Monitoring: false' > less.yml");

    const { code, err } = await prod.npm("deploy", "--settings", "less.yml");

    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(
        "Deploy this to burgee-prod, without the protection of Monitoring? There is no terminal to ask at; run the command with --yes",
      ),
    });
    expect(err).toContain("   !  settings     less.yml lacks RateLimit: the stage keeps 30");
    expect(err).toContain("   !  settings     this takes away the protection of Monitoring");
  });

  it("are changed alone by --same-code, whatever the sources are", async () => {
    await changeStatus(203);
    await prod.shell("echo 'KeyCacheSeconds: 5' > keys.yml");

    const { code, err, out } = await prod.deploy("--settings", "keys.yml", "--same-code");
    prod.restore();

    expect(code).toBe(0);
    expect(err).toContain("| parameter | KeyCacheSeconds | 30 → 5 |");
    expect(err).not.toContain("| parameter | Archives |");
    expect(out).toMatch(/^KeyCacheSeconds: 5$/m);
    expect(await statusOfPut()).toBe(200);
  });

  it("have documents made for each poll, if they say so: SDKs evaluate a patch 2 seconds after it at most", async () => {
    const sdks = await startSdks(url);

    expect(Math.max(...(await secondsUntilSeen(sdks, "amber")))).toBeLessThanOrEqual(1 + 1);
  });
});

describe("a rollback", () => {
  it("takes back neither a setting nor a revoked key, as the table stays the stage's own", async () => {
    await admin("key create passing --permission ADMIN");
    const before = await admin("key revoke passing --yes");

    const { code, out } = await prod.npm("rollback", "--yes");

    expect([before.code, code]).toEqual([0, 0]);
    expect(out).toContain(`TableName: ${table}\n`);
    expect(out).toMatch(/^RateLimit: 30$/m);
    expect(await statusOfPut()).toBe(201);
    const { out: keys } = await admin("key list");
    expect(keys).toContain("demo");
    expect(keys).not.toContain("passing");
  });
});

describe("the removal", () => {
  it("is refused without a terminal, and while the stack is protected", async () => {
    const err = expect.stringMatching(/burgee: the call of AWS failed: .*TerminationProtection/);

    expect(await prod.npm("remove")).toMatchObject({ code: 1 });
    expect(await prod.npm("remove", "--yes")).toMatchObject({ code: 1, err });
  });

  it("with --yes keeps the table and its data", async () => {
    await aws(
      "cloudformation update-termination-protection --stack-name burgee-prod --no-enable-termination-protection",
    );

    expect(await prod.npm("remove", "--yes")).toMatchObject({ code: 0 });

    const { out: kept } = await prod.shell("cat burgee-prod.yml");
    const { err } = await prod.npm("status");
    const { out } = await admin("feature list");
    expect(kept).toMatch(/^RateLimit: "?30"?$/m);
    expect(err).toContain("there is no stack burgee-prod");
    expect(out).toContain("checkout");
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 404 });
  });

  it("of a stage whose table is not kept leaves no table", async () => {
    await prod.bootstrap("dev");
    const { code } = await prod.shell(
      "npm run deploy -- --stage dev --yes && npm run remove -- --stage dev --yes",
    );

    expect(code).toBe(0);
    expect(await aws("dynamodb list-tables --output text")).not.toContain("burgee-dev");
  });
});
