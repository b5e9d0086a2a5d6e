/**
 * Deploys a stage to an emulator of AWS by the operator's own commands, calls it, deploys it again, and removes it.
 * CloudFormation, the roles (a call that a role does not grant is refused), the routes, the events with their base64
 * flag, the functions under Node 24 and the table are realistic enough to fail.
 *
 * The emulator does not check: values of properties (test/deploy does), the deployer's permissions, throttling,
 * access logs, traces, whether an alarm fires, encryption, arm64, quotas, nor durations.
 * Its gateway speaks HTTP instead of HTTPS, and it needs resolve-cjs.cjs.
 */
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "./call.ts";
import { everyKind, patch, putTag } from "./requests.ts";
import { openStage, type Stage } from "./stage.ts";

let staging: Stage;
let local: Burgee;
let url: string;
let table: string;

beforeAll(async () => {
  staging = await openStage("staging");
  local = await startBurgee();
});
afterAll(async () => {
  await local?.stop();
  await staging?.close();
});

const admin = (...given: string[]) => staging.sources.npm("admin", "--table", table, ...given);

describe("the first deployment", () => {
  it("can be retried after a failure", async () => {
    staging.sources.addFailing();

    const { code, out, err } = await staging.deploy();

    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("UPDATE_FAILED: Never") });
    expect(err).toContain("UPDATE_ROLLBACK_COMPLETE: nothing is deployed yet");
  });

  it("prints the address and the table", async () => {
    staging.sources.restore();

    const deployed = await staging.deploy();

    expect(deployed.code).toBe(0);
    ({ url, table } = deployed);
    expect(url).toMatch(/^http:\/\/\w+\.execute-api\.localhost:\d+$/);
    expect(table).toMatch(/^burgee-staging-Table-/);
  });

  it("accepts no key until the command line has filled the table", async () => {
    expect(await call(url, putTag("team-b"))).toMatchObject({ status: 401 });

    const applied = await admin("apply", "infra/demo.json");

    expect(applied).toMatchObject({ code: 0, out: "4 created, 0 updated, 0 removed, 0 unchanged.\n" });
  });
});

describe("what is deployed", () => {
  it.each(everyKind)(
    "responds to $what as the local server does: $status",
    async ({ status, ...request }) => {
      const answer = await call(url, request);

      expect(answer.status).toBe(status);
      expect(answer).toEqual(await call(local.url, request));
    },
  );

  it("permits a new key what it was granted, and no more", async () => {
    const { out: key } = await admin("key", "create", "ci", "--permission", "UPDATE_FEATURE:default");
    const authorization = key.trim();

    const put = await call(url, { ...putTag("team-c"), headers: { authorization } });
    const patched = await call(url, { ...patch([]), headers: { authorization } });

    expect([put.status, patched.status]).toEqual([201, 403]);
  });

  it("writes to the table that the command line reads", async () => {
    const { out } = await admin("feature", "list");

    expect(out).toMatch(/^checkout .* development 3, production 2 .*team-a.*team-b.*team-c/m);
  });
});

describe("another deployment", () => {
  it("of the same sources changes nothing", async () => {
    const { code, err } = await staging.deploy();

    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("No changes to deploy") });
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 201 });
  });

  it("that fails leaves the service unchanged, and is not skipped when it is retried", async () => {
    staging.sources.addFailing();

    const endings = [await staging.deploy(), await staging.deploy()];

    const is = "burgee-staging is UPDATE_ROLLBACK_COMPLETE: rolled back to the state before, and serving";
    const failure = { code: 1, err: expect.stringContaining(is) };
    expect(endings).toMatchObject([failure, failure]);
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 201 });
  });

  it("of a changed function replaces the code, and keeps the address, the table and the data", async () => {
    staging.sources.restore();
    staging.sources.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

    const deployed = await staging.deploy();

    expect(deployed).toMatchObject({ code: 0, url, table });
    const tags = expect.arrayContaining([{ type: "simple", value: "team-c" }]);
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 200, json: { tags } });
  });

  it("with a role that lacks a permission fails requests, so the emulator enforces roles", async () => {
    staging.sources.restore();
    staging.sources.change("infra/roles.yml", (content) => content.replace(", dynamodb:UpdateItem]", "]"));

    const { code } = await staging.deploy();

    expect(code).toBe(0);
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 500, json: { name: "InternalError" } });
  });
});

describe("the removal", () => {
  it("is refused without a terminal, and done with --yes", async () => {
    const codes = [await staging.npm("remove"), await staging.npm("remove", "--yes")].map(({ code }) => code);

    expect(codes).toEqual([1, 0]);
  });

  it("leaves no stack, no table and no address", async () => {
    const { err } = await staging.npm("status");
    const list = await admin("feature", "list");

    expect(err).toContain("there is no stack burgee-staging");
    expect(list).toEqual({ code: 1, out: "", err: expect.stringContaining(`no table "${table}"`) });
    expect(await call(url, putTag("team-d"))).toMatchObject({ status: 404 });
  });
});
