/** What went wrong, in one line that says what to do. */
import { ApiError } from "../../lib/contract/errors.ts";
import { Refusal } from "../refusal.ts";
import { type PlaceOptions, tableName } from "./place.ts";

interface Failure extends Error {
  code?: unknown;
  $metadata?: unknown;
}

const nowhere =
  "where is the data? Give --data DIR for a folder of this machine, --endpoint URL for a DynamoDB engine, " +
  "or set AWS_REGION and credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) for AWS";

const unknownCredentials =
  /^(?:UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|IncompleteSignature|MissingAuthenticationToken)/;
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Nothing for what nobody thought of: that is told with its stack. */
export function explain(error: unknown, options: PlaceOptions): string | undefined {
  const failure = rootOf(error);
  if (failure === undefined) return undefined;
  const { name, message } = failure;
  if (failure instanceof Refusal) return message;
  if (name === "ExitPromptError") return "nothing was changed";
  if (name === "CredentialsProviderError" || message === "Region is missing") return nowhere;
  if (name === "ResourceNotFoundException") return noTable(options);
  if (name === "AccessDeniedException") return `AWS does not permit it: ${message}`;
  if (unknownCredentials.test(name)) {
    return `AWS does not take these credentials (${message}): log in again, or choose others with AWS_PROFILE`;
  }
  if (typeof failure.code === "string" && unreachable.has(failure.code))
    return unanswered(options, failure.code);
  if (error instanceof ApiError) return `${error.message}; run the command again`;
  if (failure.$metadata !== undefined) return `DynamoDB refused it: ${name}: ${message}`;
  return undefined;
}

/** The store tells callers of the API little; what it knew stands in the cause. */
function rootOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = error instanceof ApiError ? error.cause : undefined;
  return cause instanceof Error ? cause : error;
}

function noTable(options: PlaceOptions): string {
  const where = options.endpoint ?? process.env.AWS_REGION ?? "the configured region";
  const name = tableName(options);
  return `there is no table "${name}" in ${where}: deploy the service first, or name its table with --table`;
}

function unanswered({ endpoint }: PlaceOptions, code: string): string {
  const where = endpoint ?? process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "DynamoDB";
  return `nothing answers at ${where} (${code}): is it running, and is the address right?`;
}
