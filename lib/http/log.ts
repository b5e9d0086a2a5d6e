/** One line of JSON for each request. Never a key, never a body: names and outcomes only. */
import type { ApiError } from "../contract/errors.ts";

export interface LogEntry {
  requestId: string;
  coldStart: boolean;
  route?: string;
  /** The name of the API key. */
  key?: string;
  path?: Readonly<Record<string, string>>;
  dryRun?: boolean;
  /** The id that the items changed by this request remember. */
  write?: string;
  environments?: Readonly<Record<string, string>> | undefined;
  error?: { id: string; name: string; cause?: string } | undefined;
  status?: number | undefined;
  ms?: number;
}

/** What JSON leaves as it is, and some readers of a log take for the end of a line or for a command to the terminal. */
const unprintable = /[\u007f-\u009f\u2028\u2029]/g;

/** Straight to the stream: Lambda's console would put text before the JSON. Escapes keep a line one line. */
export function writeLog(entry: LogEntry): void {
  const level = (entry.status ?? 500) < 500 ? "info" : "error";
  const line = JSON.stringify({ time: new Date().toISOString(), level, ...entry });
  process.stdout.write(`${line.replace(unprintable, escapeCharacter)}\n`);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Of a refusal its id and name; of our own failure all that is known. */
export function failure({ name, status, cause }: ApiError, id: string): LogEntry["error"] {
  return { id, name, ...(status >= 500 && { cause: describe(cause) }) };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
