/** Starts MiniStack, an emulator of AWS without Docker, which runs the functions with the Node 24 of its PATH. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { freePort, untilItAnswers } from "../support/listening.ts";
import { fetchNode24 } from "../support/node-24.mjs";

export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

export async function startEmulator(): Promise<Emulator> {
  const programs = fetchPython("ministack", "test/emulator/requirements.txt");
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  const port = await freePort();
  const child = spawn(path.join(programs, "ministack"), [], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: `${fetchNode24().bin}:${process.env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: "127.0.0.1",
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: "localhost",
      LAMBDA_EXECUTOR: "local",
      // Enforces the roles of the functions.
      AUTH: "true",
      NODE_OPTIONS: `--require ${path.resolve("test/emulator/resolve-cjs.cjs")}`,
    },
  });
  child.stderr.resume();
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers("The emulator", endpoint, () => child.exitCode);
  return {
    endpoint,
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
