/** Runs the embedded engine in a process of its own, on a folder, and restarts it when it ends unexpectedly. */
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
  /** The id of its process; a restart changes it. */
  pid(): number | undefined;
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

/** V8's helper threads compete with the functions, which costs a sixth of a patch's time. */
const execArgv = ["--single-threaded"];

/** Without a folder the data is temporary, and removed with the engine, which ends with this process at the latest. */
export async function startEngine(
  folder?: string,
  { program = builtProgram, allowHost = [] }: Options = {},
): Promise<EmbeddedEngine> {
  const data = prepare(folder);
  const keeping = folder === undefined ? "temporary" : "kept";
  let isStopped = false;
  let port = 0;
  let child: ChildProcess;

  async function start(attempts = 10): Promise<void> {
    if (isStopped) return;
    // Detached, as Ctrl-C reaches the whole process group: the parent decides when to stop the engine.
    child = fork(program, [data, String(port), keeping, ...allowHost], { execArgv, detached: true });
    const ended = once(child, "close").then(([code, signal]) => ({
      failure: `its process ended (${signal ?? code})`,
    }));
    const first = once(child, "message").then(([message]) => message as Message);
    const { port: listening, failure, isLocked }: Message = await Promise.race([first, ended]);
    if (listening !== undefined) {
      port = listening;
      ended.then(restart, restart);
      return;
    }
    if (!isLocked) throw new Refusal(`the DynamoDB engine did not start: ${failure}`);
    if (attempts === 0) {
      const advice = "npm start prints the --endpoint of its engine";
      throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
    }
    // A process that was killed a moment ago may not have released its lock yet.
    await setTimeout(100);
    await start(attempts - 1);
  }

  /** Starts a new process on the same folder and port: acknowledged writes are on disk, and open calls are retried. */
  async function restart(): Promise<void> {
    await setTimeout(50);
    try {
      await start();
    } catch (error) {
      if (isStopped) return;
      console.error(`burgee: ${(error as Error).message}`);
      process.exit(1);
    }
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
    await start();
  } catch (error) {
    stop();
    throw error;
  }
  return { endpoint: `http://127.0.0.1:${port}`, pid: () => child.pid, folder: data, stop };
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
