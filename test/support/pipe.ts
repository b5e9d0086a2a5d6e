/** What EventBridge Pipes make of a record of the table's stream, for as much of their language as infra/events.yml uses. */
import { marshall } from "@aws-sdk/util-dynamodb";

export interface StreamRecord {
  eventName: "INSERT" | "MODIFY" | "REMOVE";
  dynamodb: { Keys: unknown; NewImage?: unknown; OldImage?: unknown };
}

type Item = { pk: string; sk: string };

export function toRecord(before: Item | undefined, after: Item | undefined): StreamRecord {
  const { pk, sk } = (after ?? before) as Item;
  return {
    eventName: before && after ? "MODIFY" : after ? "INSERT" : "REMOVE",
    dynamodb: {
      Keys: marshall({ pk, sk }),
      ...(after && { NewImage: marshall(after) }),
      ...(before && { OldImage: marshall(before) }),
    },
  };
}

/** A list names what is taken, each a value, a prefix, or that there is any. */
export function matches(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((taken) => takes(taken, value));
  return Object.entries(pattern as object).every(([name, inner]) =>
    matches(inner, (value as Record<string, unknown> | undefined)?.[name]),
  );
}

function takes(taken: unknown, value: unknown): boolean {
  if (typeof taken !== "object" || taken === null) return taken === value;
  if ("prefix" in taken) return typeof value === "string" && value.startsWith(String(taken.prefix));
  if ("exists" in taken) return (value !== undefined) === taken.exists;
  throw new Error(`not known here: ${JSON.stringify(taken)}`);
}

/** A path in angle brackets gives way to its value as JSON; one that leads nowhere to nothing, which is no JSON. */
export function render(template: string, record: StreamRecord): unknown {
  const text = template.replaceAll(/<\$\.([\w.]+)>/g, (_, path: string) => {
    const value = path
      .split(".")
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], record);
    return value === undefined ? "" : JSON.stringify(value);
  });
  return JSON.parse(text);
}
