/** Runs the embedded engine in a process of its own, on a folder, and starts it again if it ever ends. */
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

export interface EmbeddedEngine extends Engine {
  /** Of its process, another after each time it was started again. */
  pid(): number | undefined;
  /** Where its data is. */
  folder: string;
}

const builtProgram = new URL("engine-process.mjs", import.meta.url);

/** V8's helper threads do little for so small a process, and take processors from the functions: a sixth of a patch. */
const execArgv = ["--single-threaded"];

/** Without a folder the data lives as long as the engine. */
export async function startEngine(folder?: string, program = builtProgram): Promise<EmbeddedEngine> {
  const data = folder === undefined ? mkdtempSync(path.join(tmpdir(), "burgee-")) : prepare(folder);
  let stopped = false;
  let child: ChildProcess;
  const port = await start(0);

  async function start(wanted: number, tries = 10): Promise<number> {
    const keeping = folder === undefined ? "temporary" : "kept";
    child = fork(program, [data, String(wanted), keeping], { execArgv });
    // All data is on disk: an engine that ends unasked goes on where it was, and the SDK repeats what it left open.
    const again = () => {
      if (!stopped) setTimeout(start, 50, port);
    };
    child.once("exit", again);
    const [{ port: listening, locked }] = await once(child, "message");
    if (!locked) return listening;
    child.off("exit", again);
    if (tries === 0) {
      const advice = "npm start prints the --endpoint of its engine";
      throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
    }
    // Whoever has it may have been killed a moment ago, and be about to let go.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return start(wanted, tries - 1);
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    pid: () => child.pid,
    folder: data,
    stop() {
      stopped = true;
      child.kill("SIGKILL");
      if (folder === undefined) rmSync(data, { recursive: true, force: true });
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
