/** A client of an engine in this process: the SDK without network and signature. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Client } from "../../lib/store/client.ts";
import { ItemProtocol } from "../../lib/store/protocol.ts";
import type { OpenEngine } from "./storage.ts";

const schemeId = "smithy.api#noAuth";

export function clientOf(engine: OpenEngine): Client {
  const requestHandler = {
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
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({
      region: "local",
      endpoint: "http://engine.local",
      maxAttempts: 1,
      protocol: new ItemProtocol(),
      requestHandler,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      httpAuthSchemeProvider: () => [{ schemeId }],
      httpAuthSchemes: [
        {
          schemeId,
          identityProvider: () => async () => ({}),
          signer: { sign: async (request: any) => request },
        },
      ],
    } as any),
  );
}
