/** `npm start`, from the command to the answer. */
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { readOptions } from "../../../infra/local/options.ts";
import type { Tags } from "../../../lib/contract/tags.ts";
import { type LocalServer, runServer, startServer, startServerIn } from "../../support/server.ts";

const folder = () => mkdtempSync(path.join(tmpdir(), "burgee-test-"));

let server: LocalServer | undefined;

afterEach(async () => {
  if (server?.process.exitCode === null && server.process.signalCode === null) await server.kill();
  server = undefined;
});

describe("npm start", () => {
  let shared: LocalServer;
  beforeAll(async () => {
    shared = await startServer();
  });

  it("prints a key, calls that work as printed, and last the ready line", async () => {
    expect(shared.lines.at(-1)).toBe(`ready ${shared.url}`);
    expect(shared.lines).toContain("API key: burgee-demo-key-for-this-machine");
    const answers = await sendCurls(shared);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    expect(await answers[0]?.json()).toEqual({
      version: 1,
      tags: [
        { type: "simple", value: "first-call" },
        { type: "simple", value: "team-a" },
      ],
    });
  });

  it("refuses a malformed path with an error of the service's own", async () => {
    const answer = await shared.put("%zz", "team-b");

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ name: "ValidationError" });
  });

  it("survives clients that hang up", async () => {
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        fetch(`${shared.url}/api/admin/projects/default/features/checkout/variants`, {
          method: "PATCH",
          headers: { authorization: "burgee-demo-key-for-this-machine", "content-type": "application/json" },
          body: "[]",
          signal: AbortSignal.timeout(1 + number),
        }),
      ),
    );

    expect((await shared.put("checkout", "still-here")).status).toBe(201);
  });

  it("ends at once and cleanly on Ctrl-C", async () => {
    const startedAt = Date.now();

    const code = await shared.kill("SIGINT");

    expect(code).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(2000);
  });
});

/** A state of one feature and one key. */
const own = {
  projects: [{ id: "mine", environments: ["live"] }],
  features: [{ name: "banner", project: "mine" }],
  apiKeys: [{ name: "me", key: "a key of mine, long enough", permissions: [{ permission: "ADMIN" }] }],
};

describe("from another folder", () => {
  const program = path.resolve("dist/tools/start.mjs");

  it("finds its own files: the demo, the routes, the functions and the pages", async () => {
    server = await startServerIn(folder(), program);

    const [page, document] = await Promise.all([fetch(server.url), fetch(`${server.url}/openapi.json`)]);
    expect([page.status, document.status]).toEqual([200, 200]);
    expect((await server.put("checkout", "from-elsewhere")).status).toBe(201);
  });

  it("takes --state and --data relative to that folder", async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, "state.json"), JSON.stringify(own));

    server = await startServerIn(cwd, program, "--state", "state.json", "--data", "data");

    expect(server.lines.join("\n")).toContain("/projects/mine/features/banner/variants");
    expect(existsSync(path.join(cwd, "data"))).toBe(true);
    expect((await sendCurls(server)).map(({ status }) => status)).toEqual([201, 200, 200]);
  });
});

describe("--state FILE", () => {
  it("refuses an invalid file, and lists every error", async () => {
    const file = path.join(folder(), "state.json");
    const state = {
      projects: [
        { id: "a", environments: ["x"] },
        { id: "a", environments: [] },
      ],
      features: [
        { name: "f", project: "b" },
        { name: "g", project: "a", environments: { y: { variants: [{ name: "v" }] } } },
      ],
      apiKeys: [{ name: "k", key: "short" }],
    };
    writeFileSync(file, JSON.stringify(state));

    const { code, err } = await runServer("--state", file);

    expect(code).toBe(1);
    expect(err).toContain(`burgee: ${file} is not a state file:`);
    expect(err).toContain("  /features/1/environments/y/variants/0/weight is required");
    expect(err).toContain("  /apiKeys/0/key must have at least 16 characters");
  });

  it.each([
    ["that is not there", undefined, "cannot be read"],
    ["that is not JSON", "{", "is not JSON"],
  ])("refuses a file %s in one line", async (_, text, reason) => {
    const file = path.join(folder(), "state.json");
    if (text !== undefined) writeFileSync(file, text);

    const { code, err } = await runServer("--state", file);

    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([expect.stringContaining(reason)]);
  });
});

describe("--data DIR", () => {
  it("keeps what was acknowledged through a kill -9", async () => {
    const data = path.join(folder(), "data");
    server = await startServer("--data", data);
    const tags = Array.from({ length: 20 }, (_, number) => `tag-${number}`);
    const answers = await Promise.all(tags.map((tag) => server?.put("checkout", tag)));
    await server.kill("SIGKILL");

    server = await startServer("--data", data);

    expect(answers.map((answer) => answer?.status)).toEqual(tags.map(() => 201));
    const { tags: kept } = (await (await server.put("checkout", "after")).json()) as Tags;
    expect(kept.map(({ value }) => value)).toEqual(expect.arrayContaining(tags));
    expect(server.lines.join("\n")).toContain(`It continues with the existing data in ${data}.`);
  });

  it("refuses a folder that cannot be one, in one line", async () => {
    const file = path.join(folder(), "file");
    writeFileSync(file, "");

    const { code, err } = await runServer("--data", file);

    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([expect.stringContaining("cannot be used for the data")]);
  });
});

describe("other options", () => {
  it("--endpoint URL uses that DynamoDB", async () => {
    server = await startServer("--endpoint", inject("engine"));

    expect((await server.put("checkout", "elsewhere")).status).toBe(201);
  });

  it("--endpoint names an address in one line when nothing answers there", async () => {
    const { code, err } = await runServer("--endpoint", "http://127.0.0.1:1");

    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([
      expect.stringMatching(/^burgee: .*http:\/\/127\.0\.0\.1:1 .*ECONNREFUSED/),
    ]);
  });

  it("--port refuses a taken port in one line", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };

    const { code, err } = await runServer("--port", String(port));

    other.close();
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([expect.stringContaining("the port is taken")]);
  });

  it.each([
    ["--port no", "A port is a number from 0 to 65535."],
    ["--port 65536", "A port is a number from 0 to 65535."],
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
    const run = await runServer("--colour", "red");

    expect(run).toEqual({ code: 2, out: "", err: "burgee: unknown option '--colour'\n" });
  });

  it("--help describes all of them", async () => {
    const { code, out } = await runServer("--help");

    expect(code).toBe(0);
    for (const option of ["--port", "--host", "--allow-host", "--state", "--data", "--endpoint", "--watch"]) {
      expect(out).toContain(option);
    }
  });
});

/** Sends what each printed curl line would send. */
function sendCurls({ lines }: LocalServer): Promise<Response[]> {
  return Promise.all(lines.filter((line) => line.startsWith("curl")).map(sendCurl));
}

async function sendCurl(line: string): Promise<Response> {
  const [, method, url, authorization, type, body] =
    /^curl -X (\w+) '(.+?)' -H 'Authorization: (.+?)' -H 'Content-Type: (.+?)' -d '(.+)'$/.exec(line) ?? [];
  return fetch(url ?? "", {
    method: method ?? "",
    headers: { authorization: authorization ?? "", "content-type": type ?? "" },
    body: body ?? "",
  });
}
