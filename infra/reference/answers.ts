/** Answers as OpenAPI describes them. Statuses, names and headers of errors come from the errors themselves. */
import type { ErrorBody } from "../../lib/contract/error-body.ts";
import type { ApiError } from "../../lib/contract/errors.ts";
import { reference, type SchemaName } from "./schemas.ts";

/** By name; the summary is what a reference page lists. */
export type Examples<Value = unknown> = Readonly<Record<string, { summary: string; value: Value }>>;

interface Header {
  description: string;
  schema: { type: string };
  example: string | number;
}

export interface Content {
  schema: { $ref: string };
  examples: Examples;
}

export interface Answer {
  description: string;
  headers?: Record<string, Header>;
  content: { "application/json": Content };
}

export type Answers = Readonly<Record<string, Answer>>;

const headerProse: Readonly<Record<string, string>> = {
  location: "The path of the feature's tags, its name percent-encoded.",
  allow: "The methods that this path has.",
  accept: "The media types of a body that is accepted.",
  "accept-patch": "The media types of a patch that is accepted.",
  "retry-after": "The seconds after which the same request may be sent again.",
  "www-authenticate": "A scheme that would do.",
};

/** What every example of an error has for its id. */
const exampleId = "39d5462f-9834-4cf6-b858-a1970e2878f5";

export function success(
  description: string,
  schema: SchemaName,
  examples: Examples,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    content: { "application/json": { schema: reference(schema), examples } },
  };
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

function describeHeaders(headers: Readonly<Record<string, string>>): Record<string, Header> {
  const described = Object.entries(headers).map(([name, value]): [string, Header] => {
    const isNumber = name === "retry-after";
    return [
      name,
      {
        description: headerProse[name] ?? "",
        schema: { type: isNumber ? "integer" : "string" },
        example: isNumber ? Number(value) : value,
      },
    ];
  });
  return Object.fromEntries(described);
}

/** "Not JSON" is `notJson`. */
function nameOf(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}
