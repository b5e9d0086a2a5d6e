/** A proxy before the engine, which answers calls with errors while it is told to. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Failures {
  /** Such as "UpdateItem"; calls of every kind when absent. */
  operation?: string;
  /** One error for each call, the last for all that follow; undefined lets a call pass. */
  errors: readonly (string | undefined)[];
  /** The time that the invocation has until the second of them. */
  remainingMs?: number;
}

export async function startProxy(engine: string) {
  let count = 0;
  let failures: Failures | undefined;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const isMeant = String(headers["x-amz-target"]).endsWith(failures?.operation ?? "");
    const error = failures && isMeant && failures.errors[Math.min(count++, failures.errors.length - 1)];
    if (error) {
      response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${error}` }));
      return;
    }
    const answer = await fetch(engine, { method: "POST", headers: headers as Record<string, string>, body });
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many calls the failures have met so far. */
    count: () => count,
    inject(next: Failures | undefined) {
      count = 0;
      failures = next;
    },
    close: () => void server.close().closeAllConnections(),
  };
}
