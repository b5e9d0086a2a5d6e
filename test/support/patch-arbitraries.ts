/** Arbitraries of patches, each made for its document. */
import fc from "fast-check";
import { formatPointer } from "../../lib/contract/json-pointer.ts";
import type { PatchOperation } from "../../lib/contract/patch.ts";
import type { Json } from "../../lib/features/json-patch/json.ts";
import { document, member, value } from "./arbitraries.ts";

interface Place {
  pointer: string;
  holds: "list" | "object" | "value";
}

function placesOf(target: Json, pointer = ""): Place[] {
  if (typeof target !== "object" || target === null) return [{ pointer, holds: "value" }];
  const inside = Object.entries(target).flatMap(([name, content]) =>
    placesOf(content, pointer + formatPointer([name])),
  );
  return [{ pointer, holds: Array.isArray(target) ? "list" : "object" }, ...inside];
}

/** A pointer that mostly leads to a value of the document. */
function pointerTo(target: Json): fc.Arbitrary<string> {
  const [root, ...inside] = placesOf(target).map(({ pointer }) => pointer);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...(inside.length > 0 ? inside : [root ?? ""])), weight: 30 },
    { arbitrary: fc.constant(""), weight: 1 },
    { arbitrary: stray(target), weight: 2 },
  );
}

/** A pointer that mostly leads to where a value can be added. */
function pointerFor(target: Json): fc.Arbitrary<string> {
  const holders = placesOf(target).filter(({ holds }) => holds !== "value");
  if (holders.length === 0) return pointerTo(target);
  const added = fc
    .tuple(fc.constantFrom(...holders), member)
    .map(([{ pointer, holds }, name]) => pointer + (holds === "list" ? "/-" : formatPointer([name])));
  return fc.oneof({ arbitrary: added, weight: 2 }, { arbitrary: pointerTo(target), weight: 1 });
}

/** A pointer just outside the document, or unrelated to it. */
function stray(target: Json): fc.Arbitrary<string> {
  const beside = fc
    .tuple(fc.constantFrom(...placesOf(target)), member)
    .map(([{ pointer }, name]) => pointer + formatPointer([name]));
  return fc.oneof(beside, fc.array(member, { maxLength: 4 }).map(formatPointer));
}

/** Patches of which at least the first operations can mostly be applied to the document. */
function patchFor(target: Json): fc.Arbitrary<PatchOperation[]> {
  const from = pointerTo(target);
  const path = pointerFor(target);
  const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
    operationOf("add", { path, value }),
    operationOf("remove", { path: from }),
    operationOf("replace", { path: from, value }),
    operationOf("copy", { from, path }),
    operationOf("move", { from, path }),
  );
  return fc.array(operation, { maxLength: 6 });
}

function operationOf<Op extends string, Members>(
  op: Op,
  members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> },
) {
  return fc.record(members, { noNullPrototype: true }).map((drawn) => ({ op, ...drawn }));
}

/** A document, and a patch for it. */
export const patchCase: fc.Arbitrary<{ target: Json; patch: PatchOperation[] }> = document.chain((target) =>
  patchFor(target).map((patch) => ({ target, patch })),
);
