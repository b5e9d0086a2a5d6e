/** Starts a server and discards its output: reading each line in this process would slow down the load. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

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

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
