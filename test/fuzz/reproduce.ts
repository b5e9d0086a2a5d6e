/** Formats the steps of a found case to reproduce them: a curl command, an event, or bytes for a socket. */
import type { Request } from "./requests.ts";
import type { Taken } from "./steps.ts";

const longest = 1_000;

export function reproduce(steps: readonly Taken[], port: number): string {
  return steps.map((step) => shorten(describe(step, port))).join("\n");
}

function describe(step: Taken, port: number): string {
  if (step.by === "http") return curl(step.request, port);
  if (step.by === "event") return `${step.to}.handler(${JSON.stringify(step.event)})`;
  const cut =
    step.hangUpAfter === undefined ? "" : ` | head -c ${step.hangUpAfter % (step.bytes.length + 1)}`;
  return `echo ${step.bytes.toString("base64")} | base64 -d${cut} | nc 127.0.0.1 ${port}   # ${JSON.stringify(step.bytes.toString("latin1"))}`;
}

function curl({ method, path, headers, body }: Request, port: number): string {
  const options = Object.entries(headers).map(
    ([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`,
  );
  const url = quote(/^\w+:/.test(path) ? path : `http://127.0.0.1:${port}${path}`);
  const start = `curl -i --path-as-is -g -X ${method} ${options.join(" ")} ${url}`;
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return start;
  const isText = /^[\u0020-\uffff]*$/.test(bytes.toString()) && Buffer.from(bytes.toString()).equals(bytes);
  if (isText) return `${start} --data-binary ${quote(bytes.toString())}`;
  return `echo ${bytes.toString("base64")} | base64 -d | ${start} --data-binary @-`;
}

/** Quotes for a POSIX shell, where nothing is special inside single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function shorten(line: string): string {
  return line.length <= longest ? line : `${line.slice(0, longest)}... (${line.length} characters in total)`;
}
