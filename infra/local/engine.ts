/** Runs the embedded engine in a process of its own, on a folder; this process ends when the engine does. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { Refusal } from "../refusal.ts";

export interface Engine {
  endpoint: string;
  stop(): void;
}

interface Options {
  /** The built program of the process. */
  program?: URL;
  /** Hosts that requests may name besides those of this machine. */
  allowHost?: readonly string[] | undefined;
}

export interface EmbeddedEngine extends Engine {
  pid: number | undefined;
  /** The folder of its data. */
  folder: string;
}

/** What its process sends once it is ready, or cannot start. */
export interface Message {
  port?: number;
  failure?: string;
  /** Whether another process has the folder open. */
  isLocked?: boolean;
}

const builtProgram = new URL("engine-process.mjs", import.meta.url);

/** Without a folder the data is temporary, and removed with the engine, which ends with this process at the latest. */
export async function startEngine(
  folder?: string,
  { program = builtProgram, allowHost = [] }: Options = {},
): Promise<EmbeddedEngine> {
  const data = prepare(folder);
  const keeping = folder === undefined ? "temporary" : "kept";
  let child: ChildProcess;

  async function start(attempts = 10): Promise<Pick<EmbeddedEngine, "endpoint" | "pid">> {
    // Detached, as Ctrl-C reaches the whole process group: the parent decides when to stop the engine.
    child = fork(program, [data, keeping, ...allowHost], { execArgv: [], detached: true });
    const ended = once(child, "close").then(([code, signal]) => `its process ended (${signal ?? code})`);
    const first = once(child, "message").then(([message]) => message as Message);
    const { port, failure, isLocked }: Message = await Promise.race([
      first,
      ended.then((failure) => ({ failure })),
    ]);
    if (port !== undefined) {
      ended.then(giveUp);
      return { endpoint: `http://127.0.0.1:${port}`, pid: child.pid };
    }
    if (!isLocked) throw new Refusal(`the DynamoDB engine did not start: ${failure}`);
    if (attempts === 0) {
      const advice = "npm start prints the --endpoint of its engine";
      throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
    }
    // A process that was killed a moment ago may not have released its lock yet.
    await setTimeout(100);
    return start(attempts - 1);
  }

  let isStopped = false;

  function giveUp(reason: string): void {
    if (isStopped) return;
    console.error(`burgee: the DynamoDB engine: ${reason}`);
    process.exit(1);
  }

  function stop() {
    isStopped = true;
    process.off("exit", stop);
    child.kill("SIGKILL");
    // The process may create files until the signal reaches it.
    if (folder === undefined) rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }

  process.once("exit", stop);
  try {
    return { ...(await start()), folder: data, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

function prepare(folder?: string): string {
  try {
    if (folder === undefined) return mkdtempSync(path.join(tmpdir(), "burgee-"));
    const data = path.join(folder, "dynamodb");
    mkdirSync(data, { recursive: true });
    accessSync(data, constants.W_OK);
    return data;
  } catch (error) {
    const place = folder ?? tmpdir();
    throw new Refusal(`the folder ${place} cannot be used for the data: ${(error as Error).message}`);
  }
}
