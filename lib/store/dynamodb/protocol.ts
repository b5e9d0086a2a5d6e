/** Speaks DynamoDB's protocol, JSON over HTTP. Items have no binary attributes, which would need a conversion. */
import type { Readable } from "node:stream";
import { DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { HttpRequest } from "@smithy/core/protocols";
import type {
  $ClientProtocol,
  EndpointBearer,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
} from "@smithy/types";

type CalledMethod = "setSerdeContext" | "serializeRequest" | "deserializeResponse";

/** Replaces the SDK's own protocol, which walks the schema of each member and so makes cold starts longer. */
export class ItemProtocol implements Pick<$ClientProtocol<HttpRequest, HttpResponse>, CalledMethod> {
  setSerdeContext(): void {}

  async serializeRequest(
    { name }: OperationSchema,
    input: object,
    { endpoint }: EndpointBearer,
  ): Promise<HttpRequest> {
    const { protocol, hostname, port, path } = await endpoint();
    return new HttpRequest({
      method: "POST",
      protocol,
      hostname,
      ...(port && { port }),
      path: path.replace(/\/?$/, "/"),
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDB_20120810.${name}`,
      },
      body: JSON.stringify(input),
    });
  }

  async deserializeResponse<Output extends MetadataBearer>(
    _: OperationSchema,
    __: object,
    response: HttpResponse,
  ): Promise<Output> {
    const { statusCode, headers } = response;
    const body: Readable = response.body;
    const text = Buffer.concat(await body.toArray()).toString();
    const output = text === "" ? {} : JSON.parse(text);
    const requestId = headers["x-amzn-requestid"];
    const $metadata = { httpStatusCode: statusCode, ...(requestId !== undefined && { requestId }) };
    if (statusCode >= 300) throw toError(output, headers["x-amzn-errortype"], $metadata);
    return { ...output, $metadata };
  }
}

function toError(
  { Message, ...members }: Record<string, string>,
  header: string | undefined,
  $metadata: { httpStatusCode: number; requestId?: string },
): DynamoDBServiceException {
  const type = members.__type ?? header ?? "Unknown";
  const error = new DynamoDBServiceException({
    // The type is such as "com.amazonaws.dynamodb.v20120810#ThrottlingException:http://...".
    name: type.replace(/[:,].*/, "").replace(/^[^#]*#/, ""),
    $fault: $metadata.httpStatusCode < 500 ? "client" : "server",
    $metadata,
  });
  // The session sends a call again after an error that has `$retryable`. The SDK's own protocol sets it for this error alone.
  const isRetryable = error.name === "ReplicatedWriteConflictException";
  const message = members.message || Message || "UnknownError";
  return Object.assign(error, members, { message }, isRetryable && { $retryable: {} });
}
