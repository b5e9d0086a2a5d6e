/** Runs the embedded engine in a process of its own, on a folder, and restarts it when it ends unexpectedly. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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

const builtProgram = new URL("engine-process.mjs", import.meta.url);

/** V8's helper threads compete with the functions, which costs a sixth of a patch's time. */
const execArgv = ["--single-threaded"];

/** Without a folder the data lives as long as the engine. */
export async function startEngine(
  folder?: string,
  { program = builtProgram, allowHost = [] }: Options = {},
): Promise<EmbeddedEngine> {
  const data = folder === undefined ? mkdtempSync(path.join(tmpdir(), "burgee-")) : prepare(folder);
  let stopped = false;
  let child: ChildProcess;
  const port = await start(0);

  async function start(wanted: number, attempts = 10): Promise<number> {
    const keeping = folder === undefined ? "temporary" : "kept";
    child = fork(program, [data, String(wanted), keeping, ...allowHost], { execArgv });
    // All data is on disk: after an unexpected exit a new process continues, and the SDK retries open calls.
    const again = () => {
      if (!stopped) setTimeout(start, 50, port);
    };
    child.once("exit", again);
    const [{ port: listening, locked }] = await once(child, "message");
    if (!locked) return listening;
    child.off("exit", again);
    if (attempts === 0) {
      const advice = "npm start prints the --endpoint of its engine";
      throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
    }
    // A process that was killed a moment ago may not have released its lock yet.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return start(wanted, attempts - 1);
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    pid: () => child.pid,
    folder: data,
    stop() {
      stopped = true;
      child.kill("SIGKILL");
      // The process may create files until the signal reaches it.
      if (folder === undefined) rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function prepare(folder: string): string {
  const data = path.join(folder, "dynamodb");
  try {
    mkdirSync(data, { recursive: true });
    accessSync(data, constants.W_OK);
  } catch (error) {
    throw new Refusal(`the folder ${folder} cannot be used for the data: ${(error as Error).message}`);
  }
  return data;
}
