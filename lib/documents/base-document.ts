/** Parses a base document (`Format`): the stored one of an environment, or a file of an operator. */
import { ValidationError } from "../contract/errors.ts";
import { forbiddenMembers } from "../contract/json-pointer.ts";
import { validate } from "../contract/validate.ts";
import { parseValid } from "./exact-json.ts";
import type { Format } from "./format.ts";
import { formats, type Subject } from "./formats.ts";

/** Returns the document as parsed: a schema's result has its members in another order. */
export function parseBase<Base>({ schema, title }: Format<Base>, text: string, source: string): Base {
  // Not the exact form, which has a string in the place of a number such as 1.0.
  const { issues: [first] = [] } = validate(schema, JSON.parse(text));
  if (first) throw new ValidationError(`${source} is not ${title}: ${first.path || "/"} ${first.message}`);
  return parseValid(text) as Base;
}

/** Undefined unless the document says that it is of another project or environment. */
export function placeIssue({ format, project, environment }: Subject, document: unknown): string | undefined {
  const other = formats[format].madeFor(document);
  const isOf = (what: string, names: readonly string[]) => {
    const quoted = names.map((one) => `"${one}"`).join(", ");
    return `says that it is of ${what} ${quoted}: if this one is meant, remove that from it`;
  };
  if (other.environment !== undefined && other.environment !== environment) {
    return isOf("environment", [other.environment]);
  }
  return other.projects && !other.projects.includes(project) ? isOf("project", other.projects) : undefined;
}

/** For a document that is served to others. */
export function requireSafeNames(text: string, source: string): void {
  JSON.parse(text, (member, value) => {
    if (!forbiddenMembers.has(member)) return value;
    throw new ValidationError(`${source} has a member with the forbidden name "${member}"`);
  });
}
