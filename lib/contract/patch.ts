/** The schema of a JSON Patch (RFC 6902) without `test`, and of its operations. */
import * as z from "zod/mini";
import { forbiddenMembers, parsePointer, pointerPattern } from "./json.ts";
import { limits } from "./limits.ts";
import { listOfAtMost } from "./shared-schemas.ts";

const pointer = z.string().check(
  z.regex(pointerPattern, {
    error: 'must be a JSON Pointer: "" or "/" before each token, "~" only as "~0" or "~1"',
    abort: true,
  }),
  z.refine(
    (text) => !parsePointer(text).some((token) => forbiddenMembers.has(token)),
    `must not contain ${[...forbiddenMembers].join(", ")}: these names cannot be addressed`,
  ),
);

const pathMember = {
  /**
   * A JSON Pointer (RFC 6901): `/0` is the first variant, `/-` the place after the last; with `by=name`, `/blue` is the
   * variant `blue`.
   */
  path: pointer,
};

const valueMember = {
  /** Any JSON value, null included. */
  value: z.unknown(),
};

/** Adds a member or an element; replaces a member that exists. */
export const addOperationSchema = z.object({
  /** The kind of operation. */
  op: z.literal("add"),
  ...pathMember,
  ...valueMember,
});

/** Removes what is at `path`. */
export const removeOperationSchema = z.object({
  /** The kind of operation. */
  op: z.literal("remove"),
  ...pathMember,
});

/** Replaces what is at `path`. */
export const replaceOperationSchema = z.object({
  /** The kind of operation. */
  op: z.literal("replace"),
  ...pathMember,
  ...valueMember,
});

/** Copies what is at `from` to `path`. */
export const copyOperationSchema = z.object({
  /** The kind of operation. */
  op: z.literal("copy"),
  /** A JSON Pointer to what is copied, under the same rules as `path`. */
  from: pointer,
  ...pathMember,
});

/** Moves what is at `from` to `path`. */
export const moveOperationSchema = z.object({
  /** The kind of operation. */
  op: z.literal("move"),
  /** A JSON Pointer to what is moved, under the same rules as `path`. */
  from: pointer,
  ...pathMember,
});

/**
 * One operation; `test` is not supported. Members that the operation does not define are ignored (RFC 6902, section 4).
 */
export const patchOperationSchema = z.discriminatedUnion(
  "op",
  [
    addOperationSchema,
    removeOperationSchema,
    replaceOperationSchema,
    copyOperationSchema,
    moveOperationSchema,
  ],
  {
    error: ({ code }) =>
      code === "invalid_union" ? "must be one of add, remove, replace, copy, move" : undefined,
  },
);

/**
 * A JSON Patch (RFC 6902). The route says what it applies to. A patch of the variants applies by default to their list,
 * which is sorted by name after each patch. With `by=name` it applies to an object of variants keyed by name: it means
 * the same in every environment, and `move` from `/blue` to `/azure` renames a variant. Variants named `__proto__`,
 * `constructor` or `prototype` can only be patched by index.
 *
 * The result must have a `variable` variant unless it is empty, and its weights are normalised so that they sum to
 * 1000. The operations may add, copy, move and replace {@link limits.patchBytes} in total. The content of an
 * environment may take {@link limits.contentBytes}.
 */
export const jsonPatchSchema = listOfAtMost(patchOperationSchema, limits.patchOperations, "operations");

export type PatchOperation = z.infer<typeof patchOperationSchema>;
export type Patch = readonly PatchOperation[];
