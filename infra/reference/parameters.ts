/** Parameters of the document: those in paths, and one for each option of a request. */
import * as z from "zod/mini";
import { limits } from "../../lib/contract/limits.ts";
import { urlFriendlyNameSchema } from "../../lib/contract/names.ts";
import { type OptionName, optionDeclarations } from "../../lib/http/options.ts";
import type { Route } from "../../lib/http/route.ts";
import { readComments } from "./comments.ts";

const pathComments = Object.assign(
  {},
  ...["paths", "changes", "strategies", "guards"].map((name) => readComments(`functions/routes/${name}.ts`)),
);
const optionComments = readComments("lib/http/options.ts");

const text = { type: "string" };

/** Names in the demo's state. */
export const pathValues = {
  projectId: "default",
  featureName: "checkout",
  environment: "development",
  /** The change that the examples of changes begin with: its id follows from its idempotency key. */
  changeId: "PpHCg10IhMU",
  strategyId: "quarter",
  guard: "checkout-errors",
};

/** The declaration that has the comment of each name in paths. */
const pathDeclarations: Readonly<Record<keyof typeof pathValues, string>> = {
  projectId: "ProjectParameters",
  featureName: "FeatureParameters",
  environment: "FeatureParameters",
  changeId: "UndoParameters",
  strategyId: "StrategyParameters",
  guard: "GuardParameters",
};

/**
 * What the document says of an option besides its comment. The reference page sends the examples along: the first click on
 * an operation writes nothing.
 */
const facts: Partial<Record<OptionName, object>> = {
  dryRun: { schema: { type: "boolean", default: false }, example: true },
  form: { schema: { ...text, enum: ["index", "name"], default: "index" } },
  limit: { schema: { type: "integer", minimum: 1, maximum: limits.listedFeatures, default: 100 } },
  with: { schema: { ...text, enum: ["environments"] } },
  idempotencyKey: {
    schema: { ...text, minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
  },
  reason: { example: "Twice as many users" },
};

/** Other names may be those that an operator has given: anything, so that what has no such name is a 404. */
const { $schema: _, ...guardName } = z.toJSONSchema(urlFriendlyNameSchema);

const inPaths = Object.entries(pathDeclarations).map(([name, declaration]) => {
  const example = pathValues[name as keyof typeof pathValues];
  const schema = name === "guard" ? guardName : { ...text, minLength: 1 };
  return {
    in: "path",
    name,
    description: pathComments[`${declaration}.${name}`],
    required: true,
    schema,
    example,
  };
});

/** A browser does not let a page set Accept-Encoding. */
const { acceptsGzip: __, ...documented } = optionDeclarations;

const inOptions = Object.entries(documented).map(([option, { in: place, name }]) => {
  const description = optionComments[`optionDeclarations.${option}`];
  return { in: place, name, description, schema: text, ...facts[option as OptionName] };
});

export const parameters = Object.fromEntries([...inPaths, ...inOptions].map((one) => [one.name, one]));

/** The names of a route's parameters: in its path, its query and its headers. */
export function parametersOf({ path, method, options = [] }: Route<never>): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const accepted = [...options, ...(method === "GET" ? (["ifNoneMatch"] as const) : [])]
    .filter((option) => option in documented)
    .map((option) => optionDeclarations[option]);
  const inQuery = accepted.filter((option) => option.in === "query");
  const inHeaders = accepted.filter((option) => option.in === "header");
  return [...inPath, ...[...inQuery, ...inHeaders].map(({ name }) => name)];
}
