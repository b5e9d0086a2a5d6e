/** Answers as OpenAPI describes them. Statuses, names and headers of errors come from the errors themselves. */
import type { ErrorBody } from "../../lib/contract/error-body.ts";
import type { ApiError } from "../../lib/contract/errors.ts";
import { describeHeaders, type HeaderExamples, type Headers } from "./headers.ts";
import { type Reference, reference, type SchemaName } from "./schemas.ts";

/** By name; the summary is what a reference page lists. */
export type Examples<Value = unknown> = Readonly<Record<string, { summary: string; value: Value }>>;

export interface Content {
  schema: Reference | { oneOf: Reference[] };
  examples: Examples;
}

export interface Answer {
  description: string;
  headers?: Headers;
  content?: { "application/json": Content };
}

export type Answers = Readonly<Record<string, Answer>>;

/** What every example of an error has for its id. */
const exampleId = "39d5462f-9834-4cf6-b858-a1970e2878f5";

/** With several schemas, the body is of one of them. */
export function success(
  description: string,
  schemas: SchemaName | readonly SchemaName[],
  examples: Examples,
  headers: HeaderExamples = {},
): Answer {
  const schema = typeof schemas === "string" ? reference(schemas) : { oneOf: schemas.map(reference) };
  return { ...bodiless(description, headers), content: { "application/json": { schema, examples } } };
}

export function bodiless(description: string, headers: HeaderExamples): Answer {
  return { description, ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }) };
}

/** The answers that are made of these errors, by status; errors of one status are examples of one answer. */
export function refusal(description: string, errors: Readonly<Record<string, ApiError>>): Answers {
  const [first] = Object.values(errors);
  if (!first) throw new Error("an answer needs an example");
  const examples = Object.entries(errors).map(([summary, error]) => [
    nameOf(summary),
    { summary, value: toBody(error) },
  ]);
  const answer = success(
    `\`${first.name}\`: ${description}`,
    "errorSchema",
    Object.fromEntries(examples),
    first.headers,
  );
  return { [first.status]: answer };
}

function toBody({ name, message, details }: ApiError): ErrorBody {
  return { id: exampleId, name, message, ...(details && { details: [...details] }) };
}

/** "Not JSON" is `notJson`. */
function nameOf(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}
