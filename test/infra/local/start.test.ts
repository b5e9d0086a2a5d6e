/** `npm start`, from the command to the answer. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, inject, it, vi } from "vitest";
import { readOptions } from "../../../infra/local/options.ts";
import type { Tags } from "../../../lib/contract/tags.ts";
import { times } from "../../support/patching.ts";
import { tag } from "../../support/seed.ts";
import {
  type LocalServer,
  plainEnvironment,
  runServer,
  startServer,
  startServerIn,
  useServer,
} from "../../support/server.ts";
import { newFolder } from "../admin/command-line.ts";

const program = path.resolve("dist/tools/start.mjs");
const shared = await useServer();

let server: LocalServer | undefined;
afterEach(() => server?.kill());

it("npm start prints a key, calls that work as printed, and last the ready line", async () => {
  expect(shared.lines.at(-1)).toBe(`ready ${shared.url}`);
  expect(shared.lines).toContain("API key: burgee-demo-key-for-this-machine");
  const answers = await sendCurls(shared);
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
  expect(await answers[0]?.json()).toEqual({ version: 1, tags: [tag("first-call"), tag("team-a")] });
});

it("npm start survives clients that hang up", async () => {
  const url = `${shared.url}/api/admin/projects/default/features/checkout/variants`;
  const headers = { authorization: "burgee-demo-key-for-this-machine", "content-type": "application/json" };
  const patch = (signal: AbortSignal) => fetch(url, { method: "PATCH", headers, body: "[]", signal });

  await Promise.allSettled(times(20, (number) => patch(AbortSignal.timeout(1 + number))));

  expect((await shared.put("checkout", "still-here")).status).toBe(201);
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

it("npm start ends at once and cleanly on Ctrl-C", async () => {
  const startedAt = Date.now();

  expect(await shared.kill("SIGINT")).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(2000);
});

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

it.each(signals)("npm start leaves no file when %s ends it early", async (signal) => {
  const temporary = newFolder().path;
  const env = { ...plainEnvironment(), TMPDIR: temporary };
  const child = spawn(process.execPath, [program, "--port", "0"], { env });
  while (readdirSync(temporary).length === 0) await setImmediate();

  child.kill(signal);

  expect(await once(child, "exit")).toEqual([0, null]);
  await expect.poll(() => readdirSync(temporary)).toEqual([]);
});

it("from another folder it finds its own files: the demo, the routes, the functions and the pages", async () => {
  server = await startServerIn(newFolder().path, program);

  const [page, document] = await Promise.all([fetch(server.url), fetch(`${server.url}/openapi.json`)]);
  expect([page.status, document.status]).toEqual([200, 200]);
  expect((await server.put("checkout", "from-elsewhere")).status).toBe(201);
});

it("from another folder it takes --state and --data relative to that folder", async () => {
  const folder = newFolder();
  const permissions = [{ permission: "ADMIN" }];
  folder.file("state.json", {
    projects: [{ id: "mine", environments: ["live"] }],
    features: [{ name: "banner", project: "mine" }],
    apiKeys: [
      { name: "expired", key: "an expired key of mine", permissions, expiresAt: "2026-01-01T00:00:00Z" },
      { name: "tags", key: "a key for tags alone", permissions: [{ permission: "UPDATE_FEATURE" }] },
      { name: "me", key: "a key of mine, long enough", permissions },
    ],
  });

  server = await startServerIn(folder.path, program, "--state", "state.json", "--data", "data");

  expect(server.lines.join("\n")).toContain("/projects/mine/features/banner/variants");
  expect(existsSync(path.join(folder.path, "data"))).toBe(true);
  expect((await sendCurls(server)).map(({ status }) => status)).toEqual([201, 200, 200]);
});

it("--watch builds again and reloads when a source changes, and keeps the data", async () => {
  const folder = newFolder().path;
  const copied = ["dist", "functions", "lib", "infra", "serverless.yml", "package.json", "tsconfig.json"];
  for (const name of copied) cpSync(name, path.join(folder, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
  const started = await startServerIn(folder, path.join(folder, "dist/tools/start.mjs"), "--watch");
  server = started;
  await started.put("checkout", "before");
  const source = path.join(folder, "functions/tags.ts");

  writeFileSync(source, readFileSync(source, "utf8").replaceAll("version: 1, tags", "version: 2, tags"));

  const answer = async () => (await started.put("checkout", "after")).json();
  await expect.poll(answer, { timeout: 10_000 }).toMatchObject({ version: 2 });
  expect(await answer()).toMatchObject({ tags: expect.arrayContaining([tag("before")]) });
});

it("--state refuses an invalid file, and lists every error", async () => {
  const file = newFolder().file("state.json", {
    projects: [{ id: "a", environments: ["x"] }],
    features: [{ name: "g", project: "a", environments: { y: { variants: [{ name: "v" }] } } }],
    apiKeys: [{ name: "k", key: "short" }],
  });

  const { code, err } = await runServer("--state", file);

  expect(code).toBe(1);
  expect(err).toContain(`burgee: ${file} is not a state file:`);
  expect(err).toContain("  /features/0/environments/y/variants/0/weight is required");
  expect(err).toContain("  /apiKeys/0/key must have at least 16 characters");
});

it("--data keeps what was acknowledged through a kill -9", async () => {
  const data = path.join(newFolder().path, "data");
  const first = await startServer("--data", data);
  const tags = times(20, (number) => `tag-${number}`);
  const answers = await Promise.all(tags.map((tag) => first.put("checkout", tag)));
  await first.kill("SIGKILL");

  server = await startServer("--data", data);

  expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 201));
  const { tags: kept } = (await (await server.put("checkout", "after")).json()) as Tags;
  expect(kept.map(({ value }) => value)).toEqual(expect.arrayContaining(tags));
  expect(server.lines.join("\n")).toContain(`Burgee continues with the existing data in ${data}.`);
});

it("--endpoint uses that DynamoDB", async () => {
  server = await startServer("--endpoint", inject("engine"));

  expect((await server.put("checkout", "elsewhere")).status).toBe(201);
});

const text = newFolder().file("text", Buffer.from("{"));
const damaged = newFolder().path;
cpSync(text, path.join(damaged, "dynamodb/CURRENT"));

it.each([
  ["--state of a file that is not there", `--state ${text}.json`, "cannot be read"],
  ["--state of a file that is not JSON", `--state ${text}`, "is not JSON"],
  ["--data of a folder that cannot be one", `--data ${text}`, "cannot be used for the data"],
  // Where Node's recursive mkdir never returns.
  ["--data that is damaged", `--data ${damaged}`, "the DynamoDB engine did not start: .*CURRENT"],
  ["--endpoint without a server", "--endpoint http://127.0.0.1:1", "http://127.0.0.1:1 .*ECONNREFUSED"],
  ["--port that is taken", `--port ${new URL(inject("engine")).port}`, "the port is taken"],
])("refuses %s in one line", async (_, options, reason) => {
  const err = expect.stringMatching(new RegExp(`^burgee: .*${reason}.*\n$`));

  expect(await runServer(...options.split(" "))).toEqual({ code: 1, out: "", err });
});

it.each([
  ["--port 65536", "A port is a number from 0 to 65535."],
  ["--host ", "It must not be empty."],
  ["--data ", "It must not be empty."],
  ["--endpoint nowhere", "An endpoint looks like http://127.0.0.1:8000."],
  ["--allow-host http://burgee.test", "A host looks like burgee.test, or burgee.test:8080."],
  ["--data folder --endpoint http://127.0.0.1:1", "cannot be used with option"],
])("%s is a usage error: exit code 2, and one line", (options, reason) => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });

  expect(() => readOptions(options.split(" "))).toThrow("exit code 2");

  const lines = written.mock.calls.map(([text]) => text);
  for (const spy of [written, exit]) spy.mockRestore();
  expect(lines).toEqual([expect.stringMatching(/^burgee: .*\n$/)]);
  expect(lines[0]).toContain(reason);
});

it("an unknown option ends the process in the same way", async () => {
  const err = "burgee: unknown option '--colour'\n";

  expect(await runServer("--colour", "red")).toEqual({ code: 2, out: "", err });
});

it("--help describes all options", async () => {
  const options = ["--port", "--host", "--allow-host", "--state", "--data", "--endpoint", "--watch"];
  const { code, out } = await runServer("--help");

  expect(code).toBe(0);
  for (const option of options) expect(out).toContain(option);
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
