/** What a request asks for beside its path and its body. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Precondition } from "../features/entity-tag.ts";
import { entityTags } from "./entity-tags.ts";
import { header } from "./header.ts";

export interface Asked {
  dryRun: boolean;
  precondition: Precondition | undefined;
  idempotencyKey: string | undefined;
}

const readers = {
  dryRun: readDryRun,
  precondition: readPrecondition,
  idempotencyKey: readIdempotencyKey,
};

export type Takes = readonly (keyof Asked)[];

/** What the route does not take is not looked at. */
export function readAsked(event: APIGatewayProxyEventV2, takes: Takes = []): Asked {
  const asked: Asked = { dryRun: false, precondition: undefined, idempotencyKey: undefined };
  return Object.assign(asked, ...takes.map((name) => ({ [name]: readers[name](event) })));
}

function readDryRun({ queryStringParameters = {} }: APIGatewayProxyEventV2): boolean {
  // Misspelt, it would not be looked at, and the change would be made.
  const misspelt = Object.keys(queryStringParameters).find(
    (name) => /^dry[-_]?run$/i.test(name) && name !== "dryRun",
  );
  if (misspelt !== undefined) throw new ValidationError(`the query has "${misspelt}": did you mean dryRun?`);
  const { dryRun = "false" } = queryStringParameters;
  if (dryRun !== "true" && dryRun !== "false") throw new ValidationError("dryRun must be true or false");
  return dryRun === "true";
}

function readPrecondition(event: APIGatewayProxyEventV2): Precondition | undefined {
  const ifMatch = header(event, "if-match");
  if (ifMatch === undefined) return undefined;
  const tags = entityTags(ifMatch);
  if (!tags) throw new ValidationError('if-match must be * or entity tags in quotes, as in "abc"');
  // RFC 9110 section 13.1.1: a weak tag never matches here.
  return tags === "*" ? tags : tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tag);
}

function readIdempotencyKey(event: APIGatewayProxyEventV2): string | undefined {
  const key = header(event, "idempotency-key");
  if (key === undefined || (/^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyLength)) return key;
  throw new ValidationError(
    `idempotency-key must have 1 to ${limits.idempotencyKeyLength} visible ASCII characters, and no space`,
  );
}
