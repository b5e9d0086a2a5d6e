/** Computes what a write makes of an item. Shared with test/explore, so that there is one implementation. */
import type { WriteCall, WriteRequest } from "./calls.ts";
import { requireOnly } from "./checks.ts";
import { type Definition, keyOf, namesIn, requireStorable } from "./definition.ts";
import { requireMatching, toCondition, toUpdate, valuesOf } from "./expressions.ts";
import { NotUnderstood, Refused } from "./refusals.ts";
import type { Item } from "./values.ts";

export interface Write {
  key: Item;
  before: Item | undefined;
  after: Item | undefined;
}

/** Computes the write and the body of its response. Throws if the call is refused. */
export function write(
  definition: Definition,
  operation: string,
  input: WriteCall,
  read: (key: Item) => Item | undefined,
): Write & { body: { Attributes?: Item } } {
  const key = writtenKey(input, definition);
  const plan = planOf(definition, operation, input);
  const before = read(key);
  requireCondition(input, before);
  const after = plan(before, key);
  if (after) requireStorable(after, definition, tooLarge(operation));
  return { key, before, after, body: input.ReturnValues === "ALL_NEW" && after ? { Attributes: after } : {} };
}

function writtenKey({ Item: put, Key }: WriteCall, definition: Definition): Item {
  if (Key) requireOnly(Key, namesIn(definition.key));
  return keyOf(put ?? Key ?? {}, definition);
}

const tooLarge = (operation: string): string =>
  operation === "UpdateItem"
    ? "Item size to update has exceeded the maximum allowed size"
    : "Item size has exceeded the maximum allowed size";

/** Refuses whatever is wrong with the expressions, before the condition is computed. */
function planOf({ key }: Definition, operation: string, input: WriteCall) {
  const { Item: put, ConditionExpression: condition, UpdateExpression: update } = input;
  const names = input.ExpressionAttributeNames;
  const updating = update === undefined ? undefined : toUpdate(update, names);
  const conditions = condition === undefined ? [] : [toCondition(condition, names)];
  requireMatching(input, updating ? [updating, ...conditions] : conditions);
  const changed = updating?.meaning.paths.find(([name = ""]) => namesIn(key).includes(name));
  // Engines differ in whether the condition is computed before this is refused.
  if (changed) throw new NotUnderstood(`an update of ${changed[0]}, which is part of the key`);
  return (before: Item | undefined, given: Item): Item | undefined => {
    if (operation === "DeleteItem") return undefined;
    return put ?? updating?.meaning.apply(before ?? given, valuesOf(input));
  };
}

function requireCondition(input: WriteCall, before: Item | undefined): void {
  const { ConditionExpression: text, ReturnValuesOnConditionCheckFailure: shown } = input;
  if (text === undefined) return;
  const { meaning } = toCondition(text, input.ExpressionAttributeNames);
  if (meaning(before ?? {}, valuesOf(input))) return;
  const item = shown === "ALL_OLD" ? before : undefined;
  throw new Refused("ConditionalCheckFailedException", "The conditional request failed", item);
}

/** A put or deletion of a batch, which has no condition. */
export function batchWrite(
  definition: Definition,
  { PutRequest, DeleteRequest }: WriteRequest,
  read: (key: Item) => Item | undefined,
): Write {
  const after = PutRequest?.Item;
  const key = writtenKey({ TableName: "", ...PutRequest, ...DeleteRequest }, definition);
  if (after) requireStorable(after, definition, tooLarge("PutItem"));
  return { key, before: read(key), after };
}
