/** Starts the local server as a user does: a process, its output, and requests to it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";
import { runNode } from "./program.ts";

export interface LocalServer {
  url: string;
  /** The address of its DynamoDB engine. */
  engine: string;
  /** The output up to the ready line. */
  lines: string[];
  put(feature: string, tag: string): Promise<Response>;
  /** Returns its exit code; does nothing if it has ended. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

const program = path.resolve("dist/tools/start.mjs");

export async function startServer(...options: string[]): Promise<LocalServer> {
  return startServerIn(".", program, ...options);
}

export async function startServerWith(
  settings: NodeJS.ProcessEnv,
  ...options: string[]
): Promise<LocalServer> {
  return startProcess({ cwd: ".", program, settings }, options);
}

/** The server of a test file, killed after its last test. */
export async function useServer(...options: string[]): Promise<LocalServer> {
  const server = await startServer(...options);
  afterAll(() => server.kill());
  return server;
}

export async function startServerIn(
  cwd: string,
  program: string,
  ...options: string[]
): Promise<LocalServer> {
  return startProcess({ cwd, program }, options);
}

interface Start {
  cwd: string;
  program: string;
  settings?: NodeJS.ProcessEnv;
}

async function startProcess(
  { cwd, program, settings }: Start,
  options: readonly string[],
): Promise<LocalServer> {
  const child = spawn(process.execPath, [program, "--port", "0", ...options], {
    cwd,
    env: { ...plainEnvironment(), ...settings },
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
    put: (feature, tag) => putTag(url, feature, tag),
    async kill(signal = "SIGKILL") {
      if (child.kill(signal)) await once(child, "exit");
      return child.exitCode;
    },
  };
}

/** Adds a tag with the demo's key. */
export const putTag = (url: string, feature: string, value: string) =>
  fetch(`${url}/api/admin/features/${feature}/tags`, {
    method: "PUT",
    headers: { authorization: "burgee-demo-key-for-this-machine", "content-type": "application/json" },
    body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
  });

/** Runs the server to its end: for starts that are expected to fail. */
export const runServer = (...options: string[]) =>
  runNode([program, ...(options.includes("--port") ? [] : ["--port", "0"]), ...options], {
    env: plainEnvironment(),
  });

interface RawRequest {
  method?: string;
  path?: string;
  body?: string;
  headers?: Record<string, string> | string[];
}

/** Sends a request as it is: `fetch` would normalise the path, and sets its own Host. */
export async function sendRaw(
  url: string,
  { method = "GET", path = "/", body = "", headers = {} }: RawRequest = {},
) {
  const sent = request(url, { method, path, headers, agent: false }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: (await answer.toArray()).join("") };
}

/** The environment without the variables that other tests set for their own services. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME, KEY_CACHE_SECONDS, ...rest } = process.env;
  return rest;
}
