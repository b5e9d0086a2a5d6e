/** The first start on a data folder stores a state; a start that is killed meanwhile is completed by the next one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { plainEnvironment, runServer, startServer } from "../../support/server.ts";
import { newFolder, runProcess } from "../admin/command-line.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 });

const features = 100;
const apiKey = "a key of this test, long enough";

const state = {
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: Array.from({ length: features }, (_, index) => ({
    name: `feature-${index}`,
    project: "default",
    tags: [{ type: "simple", value: `tag-${index}` }],
    environments: {
      development: { variants: [{ name: "x".repeat(100), weight: 1000 }] },
      production: { variants: [] },
    },
  })),
  apiKeys: [{ name: "me", key: apiKey, permissions: [{ permission: "ADMIN" }] }],
};

const { path: folder, file } = newFolder();
const stateFile = file("state.json", state);
const program = path.resolve("dist/tools/start.mjs");

let complete: string;

beforeAll(async () => {
  const data = path.join(folder, "complete");
  await (await startServer("--state", stateFile, "--data", data)).kill();
  complete = await exported(data);
});

async function exported(data: string): Promise<string> {
  return (await runProcess(["--data", data, "export"])).out;
}

/** Kills a first start as soon as the engine has so many bytes on disk; whether it was not ready by then. */
async function startAndKill(data: string, bytes: number): Promise<boolean> {
  const given = ["--port", "0", "--state", stateFile, "--data", data];
  const child = spawn(process.execPath, [program, ...given], { env: plainEnvironment() });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  while (stored(data) < bytes && child.exitCode === null) await new Promise(setImmediate);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  return printed === "";
}

function stored(data: string): number {
  const database = path.join(data, "dynamodb");
  if (!existsSync(database)) return 0;
  const sizes = readdirSync(database).map(
    (name) => statSync(path.join(database, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe("a first start that was killed", () => {
  it.each([1_000, 20_000, 50_000])("with %d bytes on disk is completed by the next one", async (bytes) => {
    const data = path.join(folder, `killed-${bytes}`);
    expect(await startAndKill(data, bytes)).toBe(true);

    const next = await startServer("--state", stateFile, "--data", data);

    expect(next.lines).toContain(`API key: ${apiKey}`);
    await next.kill();
    expect(await exported(data)).toBe(complete);
  });

  it("more than once is completed all the same", async () => {
    const data = path.join(folder, "killed-often");
    for (const bytes of [10_000, 40_000]) expect(await startAndKill(data, bytes)).toBe(true);

    await (await startServer("--state", stateFile, "--data", data)).kill();

    expect(await exported(data)).toBe(complete);
  });

  it("is not continued with another state, nor by the command line, and nothing is lost by trying", async () => {
    // The signal may come before the first item, or after the last one: then another folder is tried.
    let data = "";
    let listed = { code: 0 as number | null, out: "", err: "" };
    for (let attempt = 0; attempt < 5 && listed.code === 0; attempt++) {
      data = path.join(folder, `killed-other-${attempt}`);
      await startAndKill(data, 10_000 * (1 + attempt));
      listed = await runProcess(["--data", data, "feature", "list"]);
    }
    expect(listed.code).toBe(1);

    const other = await runServer("--data", data, "--port", "0");

    expect(other).toMatchObject({ code: 1, out: "" });
    expect(other.err).toBe(
      `burgee: ${data} has only a part of another state (${stateFile}): its first start was interrupted; ` +
        "start with that state again to complete it, or delete that folder\n",
    );
    expect(listed).toMatchObject({ code: 1, out: "" });
    expect(listed.err).toContain(
      `burgee: the first start has stored only a part of its state (${stateFile}); npm start completes it`,
    );
    await (await startServer("--state", stateFile, "--data", data)).kill();
    expect(await exported(data)).toBe(complete);
  });
});

it("a complete import is never repeated: what was changed and removed since stays so", async () => {
  const data = path.join(folder, "changed");
  await (await startServer("--state", stateFile, "--data", data)).kill();
  await runProcess(["--data", data, "feature", "delete", "feature-7", "--yes"]);
  const changed = await exported(data);
  expect(changed).not.toBe(complete);

  await (await startServer("--state", stateFile, "--data", data)).kill();

  expect(await exported(data)).toBe(changed);
});
