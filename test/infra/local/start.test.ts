/** `npm start`, from the command to the answer. */
import { spawn } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startEngine } from "../../../infra/local/engine.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { withTags } from "../../support/answers.ts";
import { tag } from "../../support/seed.ts";
import {
  type LocalServer,
  plainEnvironment,
  runServer,
  startServer,
  startServerIn,
  useServer,
} from "../../support/server.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { newFolder } from "../clients/admin/command-line.ts";

const program = path.resolve("dist/tools/start.mjs");
const shared = await useServer();

let server: LocalServer | undefined;
afterEach(() => server?.kill());

it("npm start prints a key, calls that work as printed, and last the ready line", async () => {
  expect(shared.lines.at(-1)).toBe(`ready ${shared.url}`);
  expect(shared.lines).toContain("API key: burgee-demo-key-for-this-machine");
  const answers = await sendCurls(shared);
  expect(answers.map(({ status }) => status)).toEqual([201, 200]);
  expect(await answers[0]?.json()).toEqual(withTags([tag("first-call"), tag("team-a")]));
  expect(await answers[1]?.json()).toMatchObject({
    variants: { amber: { weight: 100, weightType: "fix" } },
  });
});

it("npm start prints what SDKs load, and what is in it", async () => {
  const { lines, url } = shared;
  const index = lines.findIndex((line) => line.startsWith("SDKs load "));
  const [loaded = ""] = lines.slice(index);
  const [, unleash = "", flagd = ""] = /^SDKs load (\S+) \(Unleash\) or \.\.\.(\S+)$/.exec(loaded) ?? [];
  const base = unleash.replace("{project}", "default").replace("{environment}", "production");
  const headers = { authorization: "burgee-demo-key-for-this-machine" };
  const load = async (address: string) => (await fetch(address, { headers })).json();

  expect(base).toMatch(url);
  expect(await load(base)).toMatchObject({
    features: expect.arrayContaining([expect.objectContaining({ name: "checkout", enabled: true })]),
  });
  expect(await load(base.replace("/client/features", flagd))).toMatchObject({ flags: { checkout: {} } });
});

it("npm start ends with its server when npm is killed", async () => {
  const npm = spawn("npm", ["start", "--", "--port", "0"], { env: plainEnvironment() });
  let url = "";
  for await (const line of createInterface(npm.stdout)) {
    url = /^ready (.+)$/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  expect((await fetch(url)).status).toBe(200);

  npm.kill();

  const isThere = async () => (await fetch(url).catch(() => undefined)) !== undefined;
  await expect.poll(isThere, { timeout: 5000 }).toBe(false);
}, 60_000);

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "npm start ends at once and cleanly on %s",
  async (signal) => {
    server = await startServer();
    const startedAt = Date.now();

    expect(await server.kill(signal)).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(2000);
  },
);

it("from another folder it finds its own files, and --state and --data relative to that folder", async () => {
  const folder = newFolder();
  const permissions = [{ permission: "ADMIN" }];
  folder.file("state.json", {
    projects: [{ id: "mine", environments: ["live"] }],
    features: [{ name: "banner", project: "mine" }],
    apiKeys: [
      { name: "tags", key: "a key for tags alone", permissions: [{ permission: "UPDATE_FEATURE" }] },
      { name: "me", key: "a key of mine, long enough", permissions },
    ],
  });

  server = await startServerIn(folder.path, program, "--state", "state.json", "--data", "data");

  expect(server.lines.join("\n")).toContain("/projects/mine/features/banner/variants");
  expect(existsSync(path.join(folder.path, "data"))).toBe(true);
  expect((await sendCurls(server)).map(({ status }) => status)).toEqual([201, 200]);
  expect((await fetch(server.url)).status).toBe(200);

  await server.kill();
  server = await startServerIn(folder.path, program, "--state", "state.json", "--data", "data");

  expect(server.lines).toContain("It does not use state.json: that is for a first start.");
});

it("--endpoint of AWS gets no table, and not the demo's state, whose API key is public", async () => {
  const host = "dynamodb.eu-central-1.amazonaws.com";
  const engine = await startEngine(undefined, [host]);
  onTestFinished(engine.stop);
  onTestFinished(() => void vi.unstubAllEnvs());
  const resolve = `import dns from "node:dns"; const { lookup } = dns;
    dns.lookup = (name, ...rest) => lookup(name === "${host}" ? "127.0.0.1" : name, ...rest);`;
  vi.stubEnv("NODE_OPTIONS", `--import data:text/javascript,${encodeURIComponent(resolve)}`);
  const settings = settingsOf(engine.endpoint);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const onAws = ["--endpoint", engine.endpoint.replace("127.0.0.1", host)];

  const missing = await runServer(...onAws);
  await createTable("burgee");
  server = await startServer(...onAws);

  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('there is no table "burgee"') });
  expect((await server.put("checkout", "new")).status).toBe(401);
  expect((await openTable("burgee").call(new ScanCommand({ TableName: "burgee" }))).Count).toBe(0);
});

const text = newFolder().file("text", Buffer.from("{"));
const damaged = newFolder().path;
cpSync(text, path.join(damaged, "dynamodb/CURRENT"));
const torn = newFolder().path;
cpSync(text, path.join(torn, "dynamodb/000005.ldb"));

it.each([
  ["--state of a file that is not there", `--state ${text}.json`, 1, "cannot be read"],
  ["--data of a folder that cannot be one", `--data ${text}`, 1, "cannot be used for the data"],
  // Where Node's recursive mkdir never returns.
  ["--data that is damaged", `--data ${damaged}`, 1, "the DynamoDB engine did not start: .*CURRENT"],
  ["--data without the engine's index", `--data ${torn}`, 1, "is damaged: dynamodb/CURRENT is missing"],
  ["--port that is taken", `--port ${new URL(shared.url).port}`, 1, "the port is taken"],
  ["--port that is none", "--port 65536", 2, "A port is a number from 0 to 65535."],
  ["--port in hexadecimal digits", "--port 0x1f40", 2, "A port is a number from 0 to 65535."],
  ["--allow-host of a URL", "--allow-host http://burgee.test", 2, "A host looks like burgee.test"],
  ["two places for the data", "--data a --endpoint http://127.0.0.1:1", 2, "cannot be used with option"],
])("refuses %s in one line", async (_, options, code, reason) => {
  const err = expect.stringMatching(new RegExp(`^burgee: .*${reason}.*\n$`));

  expect(await runServer(...options.split(" "))).toEqual({ code, out: "", err });
});

it("leaves no new folder where the port is taken", async () => {
  const data = path.join(newFolder().path, "new");

  await runServer("--port", new URL(shared.url).port, "--data", data);

  expect(existsSync(data)).toBe(false);
});

/** Sends what each printed curl line would send. */
function sendCurls({ lines }: LocalServer): Promise<Response[]> {
  const curl = /^curl -X (\w+) '(.+?)' -H 'Authorization: (.+?)' -H 'Content-Type: (.+?)' -d '(.+)'$/gm;
  const calls = [...lines.join("\n").matchAll(curl)].map(
    ([, method = "", url = "", authorization = "", type = "", body = ""]) =>
      fetch(url, { method, headers: { authorization, "content-type": type }, body }),
  );
  return Promise.all(calls);
}
