/** Starts a function in a process of its own, like a sandbox of Lambda, and sends events to it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Answer } from "./process.ts";

export type Name = "tags" | "variants";

interface Options {
  environment: Record<string, string>;
  /** The program of Node. */
  node?: string;
  /** Where the bundles are. */
  folder?: string;
}

export interface Sandbox {
  /** Call it only after the previous call has returned. */
  call(event: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Ends with this process. */
export function startSandbox(
  name: Name | "read",
  { environment, node = process.execPath, folder = "dist" }: Options,
): Sandbox {
  const file = path.resolve(folder, `${name}.cjs`);
  const child = fork(new URL("sandbox.mjs", import.meta.url), [file], {
    env: environment,
    execPath: node,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  return {
    async call(event) {
      const answered = once(child, "message");
      child.send(event);
      const [answer] = await Promise.race([answered, ended]);
      if (typeof answer !== "object" || answer === null) throw new Error(`a sandbox of ${file} ended`);
      return answer;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
