/**
 * Makes a call while the sandbox starts, where Lambda gives whole processors: it is marshalled, signed and unmarshalled
 * like any other, but instead of being sent it only opens a connection for the first request.
 */

import { Agent, type AgentOptions } from "node:https";
import { isIP, type Socket } from "node:net";
import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
}

const response = {
  statusCode: 200,
  headers: {},
  body: Buffer.from('{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}'),
};

/** False if anything went wrong. That is left to the first request, which reports it. */
export async function warmUp(
  client: DynamoDBDocumentClient,
  agent: EarlyAgent,
  table: string,
): Promise<boolean> {
  const command = new GetCommand({ TableName: table, Key: { pk: "a", sk: "b" } });
  // The last middleware, in place of the request handler that it does not call.
  command.middlewareStack.add(
    () =>
      async ({ request }) => {
        const { protocol, hostname, port = 443 } = request as SignedRequest;
        if (protocol === "https:") agent.open(hostname, port);
        return { response, output: { $metadata: {} } };
      },
    { step: "deserialize", priority: "low" },
  );
  try {
    await client.send(command);
    return true;
  } catch {
    return false;
  }
}

/** A server may have closed an older one. */
const longestIdleMs = 5000;

/** As the SDK sets its own agent up. */
const options: AgentOptions = { keepAlive: true, maxSockets: 50 };

interface Early {
  socket: Socket;
  address: string;
  openedAt: number;
}

/** An agent that can open a connection before there is a request for it. */
export class EarlyAgent extends Agent {
  #early: Early | undefined;

  constructor() {
    super(options);
  }

  /** Sends nothing. A failure is left to the first request, which opens a connection of its own then. */
  open(host: string, port: number): void {
    const socket = super.createConnection({
      ...options,
      host,
      port,
      servername: isIP(host) ? "" : host,
    }) as Socket;
    // Without it a failure would end the process; requests have listeners of their own.
    socket.on("error", () => {}).unref();
    this.#early = { socket, address: `${host}:${port}`, openedAt: performance.now() };
  }

  /** The first request takes the connection, whether it is established by then or not. */
  override createConnection(...[target, callback]: Parameters<Agent["createConnection"]>) {
    const early = this.#early;
    this.#early = undefined;
    if (early) {
      const { host, port } = target as { host?: string; port?: number };
      const isFresh = performance.now() - early.openedAt < longestIdleMs;
      if (isFresh && early.address === `${host}:${port}` && !early.socket.destroyed)
        return early.socket.ref();
      early.socket.destroy();
    }
    return super.createConnection(target, callback);
  }
}
