/** A JSON Patch (RFC 6902) without `test`: whether it is well-formed, before it is applied to a document. */
import * as z from "zod/mini";
import { forbiddenMembers, isPointer, parsePointer, pointerPattern } from "./json-pointer.ts";
import { limits } from "./limits.ts";
import { shortList, states } from "./zod-extensions.ts";

const pointer = z.string().check(
  z.refine(isPointer, {
    error: 'must be a JSON Pointer: "" or "/" before each token, "~" only as "~0" or "~1"',
    abort: true,
  }),
  z.refine(
    (text) => !parsePointer(text).some((token) => forbiddenMembers.has(token)),
    `must not contain ${[...forbiddenMembers].join(", ")}: these names cannot be addressed`,
  ),
  states({ patterns: new Set([pointerPattern]) }),
);

/** RFC 6902 section 4.1: a value is required, and null is one. */
const value = z.unknown();

/** RFC 6902 section 4: members that an operation does not define are ignored, so none of these is strict. */
export const patchSchema = z.discriminatedUnion(
  "op",
  [
    z.object({ op: z.literal("add"), path: pointer, value }),
    z.object({ op: z.literal("remove"), path: pointer }),
    z.object({ op: z.literal("replace"), path: pointer, value }),
    z.object({ op: z.literal("copy"), from: pointer, path: pointer }),
    z.object({ op: z.literal("move"), from: pointer, path: pointer }),
  ],
  {
    error: ({ code }) =>
      code === "invalid_union" ? "must be one of add, remove, replace, copy, move" : undefined,
  },
);

export const patchesSchema = shortList(patchSchema, limits.operations, "operations");

export type PatchOperation = z.infer<typeof patchSchema>;
export type Patch = readonly PatchOperation[];
