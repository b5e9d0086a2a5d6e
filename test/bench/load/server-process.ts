/** Starts a server and discards its output: reading each line in this process would slow down the load. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ServerProcess {
  pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

export function startProcess(args: readonly string[], env: NodeJS.ProcessEnv): ServerProcess {
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  return {
    pid: child.pid ?? 0,
    async end(signal) {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    },
  };
}
