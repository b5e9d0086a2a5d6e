/** Checks a document that is to be stored. */
import { ValidationError } from "../../lib/contract/errors.ts";
import { parseBase, placeIssue, requireSafeNames } from "../../lib/documents/base-document.ts";
import { formats, type Subject } from "../../lib/documents/formats.ts";
import { documentIssue } from "../../lib/documents/packed.ts";

/** Undefined if it can be stored for the subject, else what is wrong with it. */
export function documentStateIssue(subject: Subject, json: string): string | undefined {
  const size = documentIssue(json);
  if (size !== undefined) return size;
  try {
    requireSafeNames(json, "it");
    return placeIssue(subject, parseBase(formats[subject.format], json, "it"));
  } catch (error) {
    if (error instanceof ValidationError) return error.message.replace(/^it /, "");
    throw error;
  }
}
