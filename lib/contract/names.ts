/** The rule of the names that stand in paths: of features, variants and strategies. */
import * as z from "zod/mini";
import { textOfLength } from "./bounded-schemas.ts";

/** What `encodeURIComponent` leaves alone; "." and ".." would be resolved away in a path. */
export const nameInPathSchema = textOfLength(1, 100).check(
  z.regex(
    /^(?!\.{1,2}$)[\w.!~*'()-]+$/,
    `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
  ),
);
