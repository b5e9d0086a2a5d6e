/** Filters and transforms a stream record as EventBridge Pipes do, for the syntax that infra/aws/events.yml uses. */
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

/** A list has the accepted matches: a value, a prefix, or whether the member exists. */
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
  throw new Error(`unknown filter: ${JSON.stringify(taken)}`);
}

/** Replaces a path in angle brackets by its value as JSON; a missing value leaves invalid JSON. */
export function render(template: string, record: StreamRecord): unknown {
  const text = template.replaceAll(/<\$\.([\w.]+)>/g, (_, path: string) => {
    const value = path
      .split(".")
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], record);
    return value === undefined ? "" : JSON.stringify(value);
  });
  return JSON.parse(text);
}
