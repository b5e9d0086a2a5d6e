/** Replaces the SDK, whose code would take half of the time: hands over a call, and waits for the response. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { HttpResponse, MetadataBearer, OperationSchema } from "@smithy/types";
import type { Item } from "../../../infra/engine/values.ts";
import type { Client } from "../../../lib/store/dynamodb/client.ts";
import { ItemProtocol } from "../../../lib/store/dynamodb/protocol.ts";
import type { Input } from "../table/table.ts";
import { rememberedBy } from "./digest.ts";

export interface Sent {
  operation: string;
  /** Makes what the SDK would send. A process that repeats its history does not need it. */
  toInput(): Input;
  answer(status: number, body: object): void;
  fail(error: Error): void;
}

interface Command {
  constructor: unknown;
  input: object;
}

const operations = new Map<unknown, string>([
  [BatchGetCommand, "BatchGetItem"],
  [BatchWriteCommand, "BatchWriteItem"],
  [DeleteCommand, "DeleteItem"],
  [GetCommand, "GetItem"],
  [PutCommand, "PutItem"],
  [QueryCommand, "Query"],
  [ScanCommand, "Scan"],
  [UpdateCommand, "UpdateItem"],
]);

let handOver = (_: Sent): void => {};
let giveUp = (_: Sent): void => {};

/** A call that is given up is handed to `onAbort`. */
export function intercept(onSend: (call: Sent) => void, onAbort: (call: Sent) => void): void {
  handOver = onSend;
  giveUp = onAbort;
}

/** The client of all processes, as it keeps nothing between calls. */
export const client = { send } as unknown as Client;

function send(command: Command, { abortSignal }: { abortSignal: AbortSignal }): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (abortSignal.aborted) return reject(aborted());
    const operation = operations.get(command.constructor);
    if (operation === undefined) return reject(new Error("the exploration does not know this command"));
    const call: Sent = {
      operation,
      toInput: () => converted(command.input, marshall) as Input,
      answer: (status, body) =>
        status === 200 ? resolve(outputOf(body)) : errorOf(status, body).then(reject),
      fail: reject,
    };
    const onAborted = () => {
      giveUp(call);
      reject(aborted());
    };
    abortSignal.addEventListener("abort", onAborted, { once: true });
    handOver(call);
  });
}

export const lostConnection = () => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
const aborted = () => Object.assign(new Error("Request aborted"), { name: "AbortError" });

/** Many histories receive the same response, so its output is made once, and frozen. */
const outputOf = rememberedBy((body: object) =>
  frozen(converted(body, (item) => unmarshall(item as Record<string, AttributeValue>))),
);

/** The members of inputs and outputs that are items, or values by name. */
const itemMembers = new Set(
  "Attributes ExclusiveStartKey ExpressionAttributeValues Item Key LastEvaluatedKey".split(" "),
);
/** Those that have lists of items, perhaps by table. */
const listMembers = new Set(["Items", "Keys", "Responses"]);

/** Converts the items in an input or an output, as lib-dynamodb does. */
function converted(given: unknown, convert: (item: Item) => object, isListed = false): unknown {
  if (Array.isArray(given)) return given.map((one) => (isListed ? convert(one) : converted(one, convert)));
  if (typeof given !== "object" || given === null) return given;
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const convertedMembers = members.map(([name, value]) => [
    name,
    itemMembers.has(name) ? convert(value) : converted(value, convert, isListed || listMembers.has(name)),
  ]);
  return Object.fromEntries(convertedMembers);
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const protocol = new ItemProtocol();

/** The error that the protocol makes of a refusal. */
async function errorOf(statusCode: number, refusal: object): Promise<unknown> {
  const body = { toArray: async () => [Buffer.from(JSON.stringify(refusal))] };
  const response = { statusCode, headers: {}, body } as HttpResponse;
  return protocol
    .deserializeResponse<MetadataBearer>({} as OperationSchema, {}, response)
    .catch((error) => error);
}
