/** Sends calls to engines, and compares what they respond with. */
import type { EngineResponse } from "../../infra/engine/refusals.ts";
import type { Item } from "../../infra/engine/values.ts";
import type { TableCall } from "../explore/table/table.ts";

export async function ask(endpoint: string, { operation, input }: TableCall): Promise<EngineResponse> {
  const credential = "Credential=local/20260101/eu-central-1/dynamodb/aws4_request";
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as EngineResponse["body"] };
}

/** Returns the response without words, which differ, and without the order of a batch's items, which means nothing. */
export function comparable({ status, body }: EngineResponse): Record<string, unknown> {
  const { __type, message, Message, ConsumedCapacity, Responses, ...rest } = body;
  const read: Item[] = Object.values((Responses ?? {}) as Record<string, Item[]>).flat();
  return { status, type: String(__type ?? "").split("#")[1], read: read.sort(byKey), ...rest };
}

function byKey(one: Item, other: Item): number {
  const [left, right] = [one, other].map(({ pk, sk }) => JSON.stringify([pk, sk]));
  return (left ?? "") < (right ?? "") ? -1 : 1;
}
