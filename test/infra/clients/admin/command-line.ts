/** The command line on the table of a service whose handlers can be called: in this process, or in one of its own. */
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect } from "vitest";
import { run as runProgram } from "../../../../infra/clients/admin/program.ts";
import type { State } from "../../../../infra/state/state-file-schemas.ts";
import { emptyTable } from "../../../../infra/store/write-state.ts";
import { adminKey, openBurgee } from "../../../support/burgee.ts";
import { type Run, runNode } from "../../../support/program.ts";
import type { Call } from "../../../support/wire.ts";

/** The run that this asynchronous context belongs to. */
const context = new AsyncLocalStorage<Run>();
let running = 0;
let releases: (() => unknown)[] = [];

/** Runs a command in this process, which costs a fraction of starting one. */
export async function run(given: readonly string[]): Promise<Run> {
  const result: Run = { code: null, out: "", err: "" };
  if (running++ === 0) releases = [capture(process.stdout, "out"), capture(process.stderr, "err")];
  try {
    result.code = Number((await context.run(result, runProgram, given)) ?? 0);
  } finally {
    process.exitCode = undefined;
    if (--running === 0) {
      for (const release of releases) release();
      // While it is enabled, every promise of this process costs more.
      context.disable();
    }
  }
  return result;
}

/** Puts what a run writes into its result until it is released. Commands may run side by side. */
function capture(stream: NodeJS.WriteStream, name: "out" | "err") {
  const { write } = stream;
  const intercept = (chunk: string, ...rest: []) => {
    const result = context.getStore();
    if (!result) return write.call(stream, chunk, ...rest);
    result[name] += chunk;
    return true;
  };
  Object.assign(stream, { write: intercept });
  return () => Object.assign(stream, { write });
}

/** Leaves out the settings of the user who runs the tests. */
const noSettings = {
  PATH: process.env.PATH,
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  AWS_EC2_METADATA_DISABLED: "true",
};

const program = "dist/tools/admin.mjs";

/** Runs the command line as it is built, with settings and an input of its own. */
export function runProcess(
  given: readonly string[],
  { input, ...settings }: Record<string, string> = {},
): Promise<Run> {
  return runNode([program, ...given], {
    env: { ...noSettings, ...settings },
    ...(input !== undefined && { input }),
  });
}

/** Everything that a terminal shows of a line of bash, and the exit code; the answer is typed at its question. */
export async function runAtTerminal(line: string, answer: () => string | Promise<string>, env = process.env) {
  const child = spawn("script", ["-qec", line, "/dev/null"], { env });
  const closed = once(child, "close");
  let shown = "";
  for await (const chunk of child.stdout) {
    const isQuestion = !shown.includes("(y/N)") && String(chunk).includes("(y/N)");
    shown += chunk;
    if (isQuestion) child.stdin.write(await answer());
  }
  await closed;
  return { shown, code: child.exitCode };
}

/** The first is split at its spaces, so that a command can be given in one: "key list". */
const split = ([first = "", ...rest]: string[]) => [...first.split(" "), ...rest];

/**
 * That of a test file, closed after its last test. Before each test its table is emptied, and gets this state and the
 * admin's key.
 */
export async function useCommandLine(state: Partial<Record<keyof State, object[]>> = {}) {
  // Keys come and go with the tests.
  const burgee = await openBurgee(
    state,
    { KEY_CACHE_SECONDS: "0", DOCUMENT_CACHE_SECONDS: "0" },
    { byAddress: true, isDirect: true },
  );
  const { wire, session } = burgee;
  beforeEach(async () => {
    wire.reset();
    await emptyTable(session);
    await burgee.store({ ...state, apiKeys: [admin, ...(state.apiKeys ?? [])] });
  });
  afterAll(() => wire.close());
  /** The options that lead to a table of this engine, the service's unless another is named. */
  const at = (table = session.table) => ["--endpoint", wire.endpoint, "--table", table];
  return {
    burgee,
    at,
    /** A command that the command line has printed, as it can be pasted. */
    printed: (typed: string) => `burgee --endpoint '${wire.endpoint}' --table ${session.table} ${typed}`,
    run: (...given: string[]) => run([...at(), ...split(given)]),
    // biome-ignore lint/suspicious/noExplicitAny: the tests check what a command prints.
    async json(...given: string[]): Promise<any> {
      const { out, err } = await run([...at(), "--json", ...split(given)]);
      if (out === "") throw new Error(err);
      return JSON.parse(out);
    },
    apply: (state: unknown, ...options: string[]) => run([...at(), "apply", fileOf(state), ...options]),
    start: (...given: string[]) =>
      spawn(process.execPath, [program, ...at(), ...split(given)], { env: noSettings }),
    /** What `export` prints of a table, the service's unless another is named. */
    exported: async (table?: string) => (await run([...at(table), "export"])).out,
    /** The calls on the wire that do not only read. */
    writes: () => wire.calls.filter(({ operation }) => /^(Put|Update|Delete|BatchWrite)/.test(operation)),
    /** What the handlers make of an update of a feature's tags with this key, the admin's unless another is given. */
    statusOf: async (feature: string, key = adminKey) =>
      (await burgee.putTags(feature, noTags, { key: key.trim() })).status,
  };
}

export const admin = { name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }] };

/** The update of a feature's tags that changes none. */
export const noTags = { addedTags: [], removedTags: [] };

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

/** A new file with this state as JSON. */
export const fileOf = (state: unknown) => newFolder().file("state.json", state);

/** Not that for a single item, which finds whether the table is empty. */
export const isScanOfAll = ({ operation, input }: Call) => operation === "Scan" && input.Limit === undefined;

export const isPut = ({ operation }: Call) => operation === "PutItem";

export const done = (out: unknown = ""): Run => ({ code: 0, out: out as string, err: "" });

/** Refused in one line, with nothing on the standard output. */
export const refused = (message: string): Run => ({ code: 1, out: "", err: `burgee: ${message}\n` });

/** The same for a command that was not given as its help says. */
export const misused = (message: string): Run => ({ ...refused(message), code: 2 });

/** Refused without a terminal, where the question shows what would be done. */
export const unconfirmed: Run = {
  ...{ code: 1, out: "" },
  err: expect.stringMatching(
    /burgee: [^\n]+\? There is no terminal to ask at; run the command with --yes\n$/,
  ),
};
