/** Opens a sandbox as Lambda does: its runtime client and its Node, on the files of a function's archive. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { inject } from "vitest";
import type { PackagedFunction } from "./archives.ts";
import { type Outcome, openRuntimeApi } from "./runtime-api.ts";

export interface Sandbox {
  /** Starts a process if there is none: at first, and after one has ended. */
  invoke(event: unknown, options?: { timeoutMs?: number }): Promise<Outcome>;
  /** The lines of standard output and of standard error. */
  lines: string[];
  errors: string[];
  pid(): number | undefined;
  /** Stops the process, as Lambda does between invocations. */
  freeze(): void;
  close(): void;
}

type Settings = Record<string, string | undefined>;

export async function openSandbox(packaged: PackagedFunction, settings: Settings): Promise<Sandbox> {
  const { node, program } = inject("runtimeClient");
  const lines: string[] = [];
  const errors: string[] = [];
  let child: ChildProcess | undefined;
  // Between invocations a sandbox gets no processor time at all.
  const freeze = () => void child?.kill("SIGSTOP");
  const api = await openRuntimeApi(freeze);
  const env = { ...environment(packaged, api.address), ...settings };

  function start(): ChildProcess {
    const started = spawn(node, [program], { cwd: packaged.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    createInterface(started.stdout).on("line", (line) => lines.push(line));
    createInterface(started.stderr).on("line", (line) => errors.push(line));
    started.once("exit", (code) => {
      if (child === started) drop({ end: "exit", payload: code });
    });
    return started;
  }

  function drop(outcome: Outcome): void {
    child?.kill("SIGKILL");
    child = undefined;
    api.end(outcome);
  }

  return {
    lines,
    errors,
    freeze,
    pid: () => child?.pid,
    async invoke(event, { timeoutMs = packaged.timeoutMs } = {}) {
      child ??= start();
      child.kill("SIGCONT");
      const outcome = await api.invoke(event, timeoutMs);
      if (outcome.end === "timeout") drop(outcome);
      return outcome;
    },
    close() {
      drop({ end: "exit" });
      api.close();
    },
  };
}

/** Sets Lambda's variables only: the function sees nothing of the developer's environment. */
function environment({ folder, handler, memoryMb, variables }: PackagedFunction, address: string): Settings {
  const texts = Object.entries(variables).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(texts),
    _HANDLER: handler,
    LAMBDA_TASK_ROOT: folder,
    AWS_LAMBDA_RUNTIME_API: address,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: "burgee",
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: "/aws/lambda/burgee",
    AWS_LAMBDA_LOG_STREAM_NAME: "2026/11/21/[$LATEST]0123456789abcdef0123456789abcdef",
    AWS_REGION: "eu-central-1",
    AWS_DEFAULT_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_SESSION_TOKEN: "local",
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  };
}
