/** Validates names: those that the API creates, and those that an operator gives. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { textOfLength } from "./shared-schemas.ts";
import { urlFriendlyPattern, urlFriendlyRule } from "./unleash-rules.ts";

export const urlFriendlyNameSchema = textOfLength(1, limits.urlFriendlyNameLength).check(
  z.regex(urlFriendlyPattern, urlFriendlyRule),
);

/**
 * The name that an operator gives to a project, an environment, a feature or an API key, by a command, a state file or
 * an import.
 */
export const storedNameSchema = z.string().check(
  z.minLength(1, "must not be empty"),
  z.refine(
    (name) => name === name.trim() && name !== "." && name !== "..",
    'must not be "." or "..", nor begin or end with a blank',
  ),
);
