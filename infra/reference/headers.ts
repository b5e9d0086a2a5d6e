/** Headers of answers, as OpenAPI describes them. */
import { limits } from "../../lib/contract/limits.ts";

/** A header's example; where it differs from answer to answer, by the name of the answer's example. */
export type HeaderExamples = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface Header {
  description: string;
  required?: true;
  schema: { type: "integer" | "string"; pattern?: string };
  example?: string | number;
  examples?: Readonly<Record<string, { value: string }>>;
}

export type Headers = Readonly<Record<string, Header>>;

const known: Readonly<Record<string, Pick<Header, "description"> & Partial<Header>>> = {
  location: { description: "The path of the feature's tags, its name percent-encoded." },
  etag: {
    description:
      "The strong entity tag of what is stored now: of the one environment, or of all that the feature has together.",
    schema: { type: "string", pattern: '^"[\\w-]{16}"$' },
  },
  "burgee-environments": {
    description: `What became of each environment, in one line. Names are percent-encoded. It is left out if the feature has no environment, or if it is longer than ${limits.outcomesLength} characters.`,
  },
  allow: { description: "The methods that this path has." },
  accept: { description: "The media types of a body that is accepted." },
  "accept-patch": { description: "The media types of a patch that is accepted." },
  "retry-after": {
    description: "The seconds after which the same request may be sent again.",
    schema: { type: "integer" },
  },
  "www-authenticate": { description: "A scheme that would do." },
};

const notAlways = new Set(["burgee-environments"]);

export function describeHeaders(headers: HeaderExamples): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, describe(name, value)]));
}

function describe(name: string, value: HeaderExamples[string]): Header {
  const { description = "", schema = { type: "string" } } = known[name] ?? {};
  const header: Header = { description, ...(!notAlways.has(name) && { required: true }), schema };
  if (typeof value === "string") {
    return { ...header, example: schema.type === "integer" ? Number(value) : value };
  }
  const examples = Object.entries(value).map(([answer, value]) => [answer, { value }]);
  return { ...header, examples: Object.fromEntries(examples) };
}
