/** Runs a built function in a sandbox as Lambda does: under its runtime client, which fetches events from us. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { inject } from "vitest";
import { newFolder } from "../infra/clients/admin/command-line.ts";
import type { Burgee, Response } from "../support/burgee.ts";
import { listen } from "../support/listening.ts";
import { settingsOf } from "../support/table.ts";

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

interface Invocation {
  event: unknown;
  timeoutMs: number;
  end(posted?: unknown): void;
}

export async function openSandbox(
  { wire, session }: Burgee,
  name: "tags" | "variants",
  settings: NodeJS.ProcessEnv = { TABLE_NAME: session.table },
) {
  const [node, program] = inject("runtimeClient");
  const cwd = newFolder().path;
  cpSync(`dist/${name}.cjs`, path.join(cwd, `dist/${name}.cjs`));
  const lines: string[] = [];
  let child: ChildProcess | undefined;
  let fetching: ServerResponse | undefined;
  let waiting: Invocation | undefined;
  let running: Invocation | undefined;

  // The Lambda Runtime API: /2018-06-01/runtime/invocation/next, .../invocation/ID/response, .../init/error.
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/next")) {
      fetching = response;
      deliver();
      return;
    }
    const posted = JSON.parse(await text(request));
    response.writeHead(202).end();
    (running ?? waiting)?.end(posted);
  });
  const env = {
    ...lambdaSettings(name, cwd, await listen(server)),
    ...settingsOf(wire.endpoint),
    ...settings,
  };

  /** Stops the process, as Lambda does between invocations: it gets no processor time at all. */
  const freeze = () => void child?.kill("SIGSTOP");

  function deliver(): void {
    if (!waiting) freeze();
    if (!waiting || !fetching) return;
    running = waiting;
    waiting = undefined;
    const headers = {
      "content-type": "application/json",
      "lambda-runtime-aws-request-id": randomUUID(),
      "lambda-runtime-deadline-ms": String(Date.now() + running.timeoutMs),
      "lambda-runtime-invoked-function-arn": "arn:aws:lambda:eu-central-1:123456789012:function:burgee",
    };
    setTimeout(running.end, running.timeoutMs);
    fetching.writeHead(200, headers).end(JSON.stringify(running.event));
    fetching = undefined;
  }

  function start(): ChildProcess {
    const started = spawn(node, [program], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    createInterface(started.stdout).on("line", (line) => lines.push(line));
    return started;
  }

  function drop(): void {
    child?.kill("SIGKILL");
    child = undefined;
    fetching = undefined;
  }

  return {
    /** The lines of standard output. */
    lines,
    freeze,
    pid: () => child?.pid,
    /** Starts a process if there is none. Returns what the runtime posted; undefined if it timed out. */
    async invoke(event: unknown, timeoutMs = 10_000): Promise<unknown> {
      child ??= start();
      child.kill("SIGCONT");
      const posted = await new Promise((end) => {
        waiting = { event, timeoutMs, end };
        deliver();
      });
      waiting = running = undefined;
      if (posted === undefined) drop();
      return posted;
    },
    close(): void {
      drop();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sets Lambda's variables only: the function sees nothing of the developer's environment. */
const lambdaSettings = (name: string, cwd: string, port: number) => ({
  _HANDLER: `dist/${name}.handler`,
  LAMBDA_TASK_ROOT: cwd,
  AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: "burgee",
  AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "1024",
  AWS_LAMBDA_LOG_GROUP_NAME: "/aws/lambda/burgee",
  AWS_LAMBDA_LOG_STREAM_NAME: "2026/11/21/[$LATEST]0123456789abcdef0123456789abcdef",
  TZ: ":UTC",
});

/** Converts what the runtime posted to API Gateway's response. */
export function toResponse(posted: unknown): Response {
  const { statusCode = 0, headers, body = "null" } = posted as APIGatewayProxyStructuredResultV2;
  return { status: statusCode, headers: headers as Record<string, string>, json: JSON.parse(body) };
}
