/** The built command line as a process of its own, on the table of a service whose handlers can be called. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { type Burgee, openBurgee } from "../../support/burgee.ts";

export interface Run {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandLine {
  burgee: Burgee;
  /** With the options that lead to the service's table. */
  run(...given: string[]): Promise<Run>;
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is judged by the tests.
  json(...given: string[]): Promise<any>;
  start(...given: string[]): ChildProcessWithoutNullStreams;
  /** What `export` prints of a table, the service's unless another is named. */
  exported(table?: string): Promise<string>;
  close(): void;
}

/** Nothing of the settings of whoever runs the tests. */
const noSettings = {
  PATH: process.env.PATH,
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  AWS_EC2_METADATA_DISABLED: "true",
};

export function start(
  given: readonly string[],
  settings: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ["dist/tools/admin.mjs", ...given], { env: { ...noSettings, ...settings } });
}

export async function run(
  given: readonly string[],
  { input = "", ...settings }: Record<string, string> = {},
): Promise<Run> {
  const child = start(given, settings);
  child.stdin.on("error", () => {}).end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

export async function openCommandLine(state: unknown = {}): Promise<CommandLine> {
  const burgee = await openBurgee(state);
  const at = (table: string) => ["--endpoint", burgee.wire.endpoint, "--table", table];
  const here = at(burgee.session.table);
  return {
    burgee,
    run: (...given) => run([...here, ...given]),
    async json(...given) {
      const { out, err } = await run([...here, "--json", ...given]);
      if (out === "") throw new Error(err);
      return JSON.parse(out);
    },
    start: (...given) => start([...here, ...given]),
    async exported(table = burgee.session.table) {
      return (await run([...at(table), "export"])).out;
    },
    close: () => burgee.wire.close(),
  };
}

/** That of a test file, closed after the last test. */
export async function useCommandLine(state?: unknown): Promise<CommandLine> {
  const line = await openCommandLine(state);
  afterAll(() => line.close());
  return line;
}

/** A folder for one test file, and files in it. */
export function newFolder(): { path: string; file(name: string, content: unknown): string } {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  return {
    path: folder,
    file(name, content) {
      const file = path.join(folder, name);
      writeFileSync(file, Buffer.isBuffer(content) ? content : JSON.stringify(content));
      return file;
    },
  };
}

export const done = (out: unknown = ""): Run => ({ code: 0, out: out as string, err: "" });

/** Refused in one line, with nothing on the standard output. */
export const refused = (message: string): Run => ({ code: 1, out: "", err: `burgee: ${message}\n` });

/** The same for a command that was not given as its help says. */
export const misused = (message: string): Run => ({ ...refused(message), code: 2 });
