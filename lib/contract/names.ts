/** The rule of the names that stand in paths: of features, variants and strategies. */
import * as z from "zod/mini";
import { textOfLength } from "./bounded-schemas.ts";

/** What `encodeURIComponent` leaves alone; "." and ".." would be resolved away in a path. */
const urlFriendly = z.regex(
  /^(?!\.{1,2}$)[\w.!~*'()-]+$/,
  `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
);

export const nameInPathSchema = textOfLength(1, 100).check(urlFriendly);

/** Whatever an operator names: a project, an environment, a feature or an API key, also in a state file or an import. */
export const storedNameSchema = z.string().check(
  z.minLength(1, "must not be empty"),
  z.refine(
    (name) => name === name.trim() && name !== "." && name !== "..",
    'must not be "." or "..", nor begin or end with a blank',
  ),
);
