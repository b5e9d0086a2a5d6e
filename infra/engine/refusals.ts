/** The errors of calls that the engine does not perform, and the responses to them. */
import type { Item } from "./values.ts";

export interface EngineResponse {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

/** Thrown for what the engine does not know, and so could answer wrongly. */
export class NotUnderstood extends Error {}

/** Thrown for what DynamoDB refuses, too. */
export class Refused extends Error {
  readonly type: string;
  readonly item: Item | undefined;

  constructor(type: string, message: string, item?: Item) {
    super(message);
    this.type = type;
    this.item = item;
  }
}

export const invalid = (message: string) => new Refused("ValidationException", message);

/** The refusal of a key that is not of the table. */
export const notOfSchema = () => invalid("The provided key element does not match the schema");

/** Responds to what DynamoDB would refuse with an error body, and throws any other error on. */
export function responseOf(run: () => EngineResponse["body"]): EngineResponse {
  try {
    return { status: 200, body: run() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { type, message, item } = error;
    const namespace =
      type === "ValidationException" ? "com.amazon.coral.validate" : "com.amazonaws.dynamodb.v20120810";
    return { status: 400, body: { __type: `${namespace}#${type}`, message, ...(item && { Item: item }) } };
  }
}

/** Responds to a call that is not understood. */
export const unsupportedCall = ({ message }: NotUnderstood): EngineResponse =>
  responseOf(() => {
    throw invalid(`The embedded engine serves Burgee's own calls only: it does not know ${message}`);
  });
