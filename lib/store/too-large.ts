/** Refusals of what an item has no room for. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

const room = `a stored item (${limits.itemBytes / 1024} KB)`;

export function tagsTooLarge(feature: string, cause?: unknown): ValidationError {
  return new ValidationError(`the tags of feature "${feature}" would not fit in ${room}`, { cause });
}

export function variantsTooLarge(cause?: unknown): ValidationError {
  return new ValidationError(`its variants would not fit in ${room}`, { cause });
}
