/** A step of a schedule in words. */
import type { Response } from "../table/calls.ts";
import type { Item } from "../table/values.ts";
import type { Call } from "./history.ts";

export const faultDescriptions = {
  "request-lost": "lost before it is performed",
  throttled: "throttled",
  overtaken: "no response in time; the call is still on its way",
  deadline: "the deadline passes; the call is still on its way",
  killed: "the process is killed; the call is still on its way",
} as const;

export function sortKeyOf(item: Item | undefined): string {
  return item?.sk && "S" in item.sk ? item.sk.S : "an item";
}

export function outcome({ status, body }: Response): string {
  const { lastTicket } = (body as { Attributes?: Item }).Attributes ?? {};
  if (lastTicket && "N" in lastTicket) return `takes ticket ${lastTicket.N}`;
  if (status === 200) return "done";
  const { __type = "" } = body as { __type?: string };
  return __type.endsWith("#ConditionalCheckFailedException") ? "its condition fails" : __type;
}

/** The call and the item that it is about. */
export function summary({ operation, input }: Call): string {
  const { Key, Item, ExpressionAttributeValues } = input as Record<string, Record<string, { S?: string }>>;
  const { pk = ExpressionAttributeValues?.[":pk"], sk }: Record<string, { S?: string }> = Key ?? Item ?? {};
  const item = [pk?.S?.replace(/(?<=^KEY#.{6}).*/, "..."), sk?.S].filter((part) => part !== undefined);
  return [operation, ...item].join(" ");
}
