/** Runs the embedded DynamoDB engine in a thread of its own. */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { projectFile } from "../cli/project-file.ts";
import { Refusal } from "../cli/refusal.ts";

/** Without a folder the data is in memory. `allowHost` are hosts to accept besides localhost and addresses. */
export async function startEngine(folder?: string, allowHost?: readonly string[]) {
  const workerData = { path: folder && prepare(folder), allowHost };
  const worker = new Worker(projectFile("dist/tools/engine-worker.mjs"), { workerData, execArgv: [] });
  try {
    const [port] = await once(worker, "message");
    return { endpoint: `http://127.0.0.1:${port}`, stop: () => stop(worker) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "LEVEL_LOCKED") throw new Refusal(`the DynamoDB engine did not start: ${message}`);
    const advice = "stop it, or use the --endpoint that its npm start printed";
    throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
  }
}

/** Closes the database first: ending a thread that is using it can end the process. */
async function stop(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return;
  worker.postMessage("stop");
  await once(worker, "exit");
}

function prepare(folder: string): string {
  const data = path.join(folder, "dynamodb");
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    throw new Refusal(`the folder ${folder} cannot be used for the data: ${(error as Error).message}`);
  }
  // The engine would make an empty database over what is left.
  const hasData = readdirSync(data).some((file) => /\.(ldb|log)$/.test(file));
  if (hasData && !existsSync(path.join(data, "CURRENT"))) {
    throw new Refusal(
      `the data in ${folder} is damaged: dynamodb/CURRENT is missing; use a whole copy of it`,
    );
  }
  return data;
}
