/** Serves an engine by DynamoDB's protocol, for tools in other processes. */
import { createServer, type Server } from "node:http";
import { foreignHost } from "./foreign-requests.ts";
import type { OpenEngine } from "./storage.ts";

export function serveEngine(engine: OpenEngine, allowHost?: readonly string[]): Server {
  return createServer(async (request, response) => {
    response.on("error", () => {});
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      const { headers } = request;
      const isPage = headers.origin !== undefined;
      const reason =
        foreignHost(headers, allowHost) ??
        (isPage ? "The DynamoDB engine does not accept requests from web pages." : undefined);
      const chunks = await request.toArray();
      if (reason !== undefined) return send(403, { message: reason });
      const operation = String(headers["x-amz-target"] ?? "").split(".")[1] ?? "";
      const { status, body } = await engine.call(operation, JSON.parse(Buffer.concat(chunks).toString()));
      send(status, body);
    } catch (error) {
      // Not `request.destroyed`, which is true once the request was read.
      if (!request.socket.destroyed)
        send(400, { __type: "SerializationException", message: (error as Error).message });
    }
  });
}
