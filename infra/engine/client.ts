/** A client of an engine in this process: the SDK without network and signature. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { HttpRequest } from "@smithy/types";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { ItemProtocol } from "../../lib/store/dynamodb/protocol.ts";
import type { OpenEngine } from "./storage.ts";

const schemeId = "smithy.api#noAuth";

/** Calls are not signed, as the engine checks no signature. */
const unsigned = {
  schemeId,
  identityProvider: () => async () => ({}),
  signer: { sign: async (request: HttpRequest) => request },
};

export function clientOf(engine: OpenEngine): Client {
  const settings = {
    region: "local",
    endpoint: "http://engine.local",
    maxAttempts: 1,
    protocol: new ItemProtocol(),
    requestHandler: handlerOf(engine),
    // With the SDK's own logger, each value of a call would be looked up in its schema.
    logger: {},
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    httpAuthSchemeProvider: () => [{ schemeId }],
    httpAuthSchemes: [unsigned],
  };
  // The SDK's types ask for more of a protocol and of a handler than it calls.
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings as object));
}

/** Makes the handler that the SDK takes for a connection. */
function handlerOf(engine: OpenEngine) {
  return {
    async handle({ headers, body }: { headers: Record<string, string>; body: string }) {
      const operation = headers["x-amz-target"]?.split(".")[1] ?? "";
      const response = await engine.call(operation, JSON.parse(body));
      const bytes = Buffer.from(JSON.stringify(response.body));
      return {
        response: { statusCode: response.status, headers: {}, body: { toArray: async () => [bytes] } },
      };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}
