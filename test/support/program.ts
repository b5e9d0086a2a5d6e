/** Runs a program to its end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Run {
  code: number | null;
  out: string;
  err: string;
}

interface Options {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
  timeout?: number;
}

export async function runProgram(
  program: string,
  given: readonly string[],
  { input = "", ...options }: Options = {},
): Promise<Run> {
  const child = spawn(program, given, options);
  child.stdin.on("error", () => {}).end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

export const runNode = (given: readonly string[], options?: Options) =>
  runProgram(process.execPath, given, options);
