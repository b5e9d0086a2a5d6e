/** Starts the local server as `npm start` does, with a probe in its process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { FunctionName } from "../support/deliver.ts";
import { issuesOfLine } from "./log-lines.ts";
import type { Memory } from "./probe.ts";
import { connectProbe } from "./probe-client.ts";
import { stateOf } from "./world.ts";

export interface FuzzedServer {
  port: number;
  engine: string;
  cpuMs(): Promise<number>;
  memory(): Promise<Memory>;
  /** Resolves when no request is running. */
  idle(): Promise<void>;
  deliver(to: FunctionName, event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2>;
  /** Returns the issues of the process and its output since the last call. */
  takeIssues(): string[];
  hasEnded(): boolean;
  stop(): void;
}

export async function startFuzzedServer(): Promise<FuzzedServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-fuzz-"));
  const stateFile = path.join(folder, "state.json");
  writeFileSync(stateFile, JSON.stringify(stateOf(0)));
  const child = spawn(
    process.execPath,
    [
      "--expose-gc",
      "--import",
      "./dist/fuzz/probe.mjs",
      "dist/tools/start.mjs",
      "--port",
      "0",
      "--state",
      stateFile,
    ],
    { stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  const found: string[] = [];
  child.stderr?.on("data", (chunk) => found.push(`the server wrote to stderr: ${chunk}`));
  child.once("exit", (code, signal) => found.push(`the server ended: ${signal ?? code}`));
  const { port, engine } = await readStart(child, found);
  rmSync(folder, { recursive: true });
  const ask = connectProbe(child);
  await ask({ ask: "idle" });
  return {
    port,
    engine,
    cpuMs: async () => (await ask({ ask: "cpu" })) as number,
    memory: async () => (await ask({ ask: "memory" })) as Memory,
    idle: async () => {
      await ask({ ask: "idle" });
    },
    deliver: async (to, event) =>
      (await ask({ ask: "deliver", to, event })) as APIGatewayProxyStructuredResultV2,
    takeIssues: () => found.splice(0),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => child.kill(),
  };
}

/** Reads its port and its engine's address; after the ready line, every line must be a log line. */
async function readStart(child: ChildProcess, found: string[]): Promise<{ port: number; engine: string }> {
  if (!child.stdout) throw new Error("the server has no output");
  let engine = "";
  const ready = new Promise<string>((resolve, reject) => {
    let isReady = false;
    createInterface({ input: child.stdout as NodeJS.ReadableStream, terminal: false }).on("line", (line) => {
      engine = /engine is at (\S+),/.exec(line)?.[1] ?? engine;
      if (isReady) found.push(...issuesOfLine(line));
      else if (line.startsWith("ready ")) {
        isReady = true;
        resolve(line.slice("ready ".length));
      }
    });
    once(child, "exit").then(() => reject(new Error(`the server did not start: ${found.join()}`)));
  });
  return { port: Number(new URL(await ready).port), engine };
}
