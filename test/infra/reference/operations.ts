/** The operations of the document. */
import type { Content } from "../../../infra/reference/answers.ts";
import type { Operation } from "../../../infra/reference/operation.ts";
import { document, faultsAt } from "../../support/document.ts";

export const operations: readonly Operation[] = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods),
);

export function operation(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`the document has no operation ${id}`);
  return found;
}

/** An example of a request's body, by its name. */
export function requestOf(id: string, name: string, mediaType = "application/json"): unknown {
  const example = operation(id).requestBody?.content[mediaType]?.examples[name];
  if (!example) throw new Error(`${id} has no example ${name} of a request`);
  return example.value;
}

/** Where the schema is a choice of several, the value must be of one of them, and of no other. */
export function faultsIn(schema: Content["schema"], value: unknown): string[] {
  if (!("oneOf" in schema)) return faultsAt(schema.$ref, value);
  const faults = schema.oneOf.map(({ $ref }) => faultsAt($ref, value));
  const fitting = faults.filter((list) => list.length === 0).length;
  return fitting === 1 ? [] : [`it fits ${fitting} of ${faults.length}`, ...faults.flat()];
}
