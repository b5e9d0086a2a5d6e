/** Serves the Lambda Runtime API: the runtime client fetches events here, and posts their outcomes. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Outcome {
  /** What the runtime posted; or that it timed out, or that its process ended. */
  end: "response" | "error" | "init error" | "timeout" | "exit";
  payload?: unknown;
}

export interface RuntimeApi {
  /** Host and port, as in AWS_LAMBDA_RUNTIME_API. */
  address: string;
  /** Delivers the event to the next fetch of the runtime; the timeout counts from then on. */
  invoke(event: unknown, timeoutMs: number): Promise<Outcome>;
  /** Ends the current invocation, if there is one. */
  end(outcome: Outcome): void;
  close(): void;
}

interface Invocation {
  id: string;
  event: unknown;
  timeoutMs: number;
  handed: boolean;
  end(outcome: Outcome): void;
}

/** `idle` is called when the runtime fetches an event and there is none. */
export async function openRuntimeApi(idle: () => void): Promise<RuntimeApi> {
  let asking: ServerResponse | undefined;
  let current: Invocation | undefined;

  const server = createServer(async (request, response) => {
    const [, , , subject, id, posted] = (request.url ?? "").split("/");
    if (id === "next") {
      asking = response;
      return handOver();
    }
    const payload = JSON.parse(await text(request));
    response.writeHead(202).end();
    if (subject === "init") current?.end({ end: "init error", payload });
    // A response after the timeout is discarded.
    else if (id === current?.id) current?.end({ end: posted === "error" ? "error" : "response", payload });
  });

  function handOver(): void {
    if (!asking) return;
    if (!current || current.handed) {
      idle();
      return;
    }
    const { id, event, timeoutMs } = current;
    const headers = {
      "content-type": "application/json",
      "lambda-runtime-aws-request-id": id,
      "lambda-runtime-deadline-ms": String(Date.now() + timeoutMs),
      "lambda-runtime-invoked-function-arn": "arn:aws:lambda:eu-central-1:123456789012:function:burgee",
      "lambda-runtime-trace-id": "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1",
    };
    current.handed = true;
    setTimeout(() => current?.id === id && current.end({ end: "timeout" }), timeoutMs);
    asking.writeHead(200, headers).end(JSON.stringify(event));
    asking = undefined;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke(event, timeoutMs) {
      return new Promise((resolve) => {
        const end = (outcome: Outcome) => {
          current = undefined;
          resolve(outcome);
        };
        current = { id: randomUUID(), event, timeoutMs, handed: false, end };
        handOver();
      });
    },
    end: (outcome) => current?.end(outcome),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
