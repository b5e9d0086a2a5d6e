/**
 * Loaded into the local server before its unchanged program: reports what the process has used, and
 * passes events to the functions that the server has loaded.
 */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { toContext } from "../support/event.ts";
import { countedHandler, idle } from "./handlers.ts";

export type Question =
  | { id: number; ask: "cpu" | "memory" | "idle" }
  | { id: number; ask: "deliver"; to: string; event: APIGatewayProxyEventV2 };

export interface Memory {
  heap: number;
  rss: number;
}

export interface Reply {
  id: number;
  answer: number | Memory | APIGatewayProxyStructuredResultV2;
}

// The server's own child processes need no probe.
process.execArgv = [];

process.on("message", async (question: Question) => {
  process.send?.({ id: question.id, answer: await answer(question) } satisfies Reply);
});

async function answer(question: Question): Promise<Reply["answer"]> {
  if (question.ask === "deliver") return countedHandler(question.to)(question.event, toContext());
  if (question.ask === "memory") return memory();
  if (question.ask === "idle") await idle();
  return cpuMs();
}

/** User and system time of all threads since the process started. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures after a garbage collection. */
function memory(): Memory {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}
