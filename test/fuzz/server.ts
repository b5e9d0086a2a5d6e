/** The local server as `npm start` runs it, with a probe in its process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { FunctionName } from "../support/deliver.ts";
import { asking } from "./ask.ts";
import { complaintsAbout } from "./log-lines.ts";
import type { Memory } from "./probe.ts";
import { stateOf } from "./world.ts";

export interface FuzzedServer {
  port: number;
  engine: string;
  cpuMs(): Promise<number>;
  memory(): Promise<Memory>;
  /** Comes back when no request is being worked on any more. */
  rest(): Promise<void>;
  deliver(to: FunctionName, event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2>;
  /** What is wrong with what it has printed since it was last asked, and with itself. */
  complaints(): string[];
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
  child.stderr?.on("data", (chunk) => found.push(`it wrote to its error output: ${chunk}`));
  child.once("exit", (code, signal) => found.push(`the server ended: ${signal ?? code}`));
  const { port, engine } = await readStart(child, found);
  rmSync(folder, { recursive: true });
  const ask = asking(child);
  await ask({ ask: "rest" });
  return {
    port,
    engine,
    cpuMs: async () => (await ask({ ask: "cpu" })) as number,
    memory: async () => (await ask({ ask: "memory" })) as Memory,
    rest: async () => {
      await ask({ ask: "rest" });
    },
    deliver: async (to, event) =>
      (await ask({ ask: "deliver", to, event })) as APIGatewayProxyStructuredResultV2,
    complaints: () => found.splice(0),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => child.kill(),
  };
}

/** Its address and its engine's; from the ready line on, every line must be one of the log. */
async function readStart(child: ChildProcess, found: string[]): Promise<{ port: number; engine: string }> {
  if (!child.stdout) throw new Error("the server has no output");
  let engine = "";
  const ready = new Promise<string>((resolve, reject) => {
    let isReady = false;
    createInterface({ input: child.stdout as NodeJS.ReadableStream, terminal: false }).on("line", (line) => {
      engine = /engine is at (\S+),/.exec(line)?.[1] ?? engine;
      if (isReady) found.push(...complaintsAbout(line));
      else if (line.startsWith("ready ")) {
        isReady = true;
        resolve(line.slice("ready ".length));
      }
    });
    once(child, "exit").then(() => reject(new Error(`the server did not start: ${found.join()}`)));
  });
  return { port: Number(new URL(await ready).port), engine };
}
