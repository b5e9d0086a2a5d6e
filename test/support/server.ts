/** Starts the local server as a user does: a process, its output, and requests to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export interface LocalServer {
  url: string;
  /** The address of its DynamoDB engine. */
  engine: string;
  /** The output up to the ready line. */
  lines: string[];
  process: ChildProcess;
  put(feature: string, tag: string): Promise<Response>;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

const program = path.resolve("dist/tools/start.mjs");

export async function startServer(...options: string[]): Promise<LocalServer> {
  return startServerIn(".", program, ...options);
}

export async function startServerIn(
  cwd: string,
  program: string,
  ...options: string[]
): Promise<LocalServer> {
  const child = spawn(process.execPath, [program, "--port", "0", ...options], {
    cwd,
    env: plainEnvironment(),
  });
  const lines: string[] = [];
  const errors: string[] = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith("ready ")) break;
  }
  child.stdout.resume();
  const url = /^ready (http:\S+)$/.exec(lines.at(-1) ?? "")?.[1];
  if (url === undefined) throw new Error(`the server did not start: ${errors.join("")}`);
  return {
    url,
    engine: /engine is at (\S+),/.exec(lines.join("\n"))?.[1] ?? "",
    lines,
    process: child,
    put: (feature, tag) =>
      fetch(`${url}/api/admin/features/${feature}/tags`, {
        method: "PUT",
        headers: { authorization: "burgee-demo-key-for-this-machine", "content-type": "application/json" },
        body: JSON.stringify({ addedTags: [{ type: "simple", value: tag }], removedTags: [] }),
      }),
    async kill(signal = "SIGKILL") {
      const exited = once(child, "exit");
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs the server to its end: for starts that are expected to fail. */
export async function runServer(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...options], { env: plainEnvironment() });
  const texts = Promise.all(
    [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join("")),
  );
  const [code] = await once(child, "exit");
  const [out = "", err = ""] = await texts;
  return { code, out, err };
}

/** The environment without the variables that other tests set for their own services. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME, KEY_CACHE_SECONDS, ...rest } = process.env;
  return rest;
}
