/** Explains an error in one line that says what to do, and maps it to an exit code. */
import { CommanderError } from "commander";
import { ApiError, TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import { Refusal, UsageError } from "../refusal.ts";
import { explainCredentials } from "./aws-profiles.ts";
import { type PlaceOptions, tableName } from "./place.ts";

interface Failure extends Error {
  code?: unknown;
  /** That could not be found. */
  hostname?: unknown;
  $metadata?: { httpStatusCode?: number };
}

const noLocation =
  "no table to work on: give --data DIR for a folder of this machine, --endpoint URL for a DynamoDB engine, " +
  "or set AWS_REGION and credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) for AWS";

const noRegion =
  "no AWS region is set: set AWS_REGION, or a region in the AWS profile (AWS_PROFILE), if there is such a profile";

const unknownCredentials =
  /^(?:UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|IncompleteSignature|MissingAuthenticationToken)/;
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Returns undefined for an unexpected error, which is printed with its stack. */
export function explain(error: unknown, options: PlaceOptions): string | undefined {
  const failure = rootOf(error);
  if (failure === undefined) return undefined;
  const { name, message } = failure;
  if (failure instanceof Refusal) return message;
  if (name === "ExitPromptError") return "nothing was changed";
  if (name === "CredentialsProviderError" || message === "Region is missing") return noCredentials(failure);
  if (message.startsWith("Region not accepted")) return `the AWS region is invalid: ${message}`;
  if (name === "ResourceNotFoundException") return noTable(options);
  if (name === "AccessDeniedException") return `AWS denied the call: ${message}`;
  if (unknownCredentials.test(name)) {
    return `AWS rejected the credentials (${message}): log in again, or choose others with AWS_PROFILE`;
  }
  if (hasNoResponse(failure, error)) return noResponse(options, failure);
  if (isOfAnotherServer(failure) && addressOf(options) !== undefined) {
    return `${addressOf(options)} is not the address of a DynamoDB engine; npm start prints the --endpoint of its engine`;
  }
  const again = error instanceof ApiError ? "; run the command again" : "";
  if (failure.$metadata !== undefined) return `DynamoDB refused the call: ${name}: ${message}${again}`;
  return error instanceof ApiError ? `${message}${again}` : undefined;
}

export const exitCodes = { failure: 1, usage: 2, differences: 2, interrupted: 130 };

/** With --exit-code, 2 means differences and nothing else. */
export function exitCodeOf(error: unknown, given: readonly string[]): number {
  const usage = given.includes("--exit-code") ? exitCodes.failure : exitCodes.usage;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  if (error instanceof UsageError) return usage;
  return error instanceof Error && error.name === "ExitPromptError"
    ? exitCodes.interrupted
    : exitCodes.failure;
}

function noCredentials({ name, message }: Failure): string {
  const { AWS_PROFILE: profile, AWS_ACCESS_KEY_ID: keyId } = process.env;
  if (name === "CredentialsProviderError") return explainCredentials(message) ?? noLocation;
  return profile || keyId ? noRegion : noLocation;
}

/** The message of an ApiError is for HTTP clients; its cause has the details. */
function rootOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error instanceof ApiError && rootOf(error.cause)) || error;
}

function hasNoResponse({ code, $metadata }: Failure, error: unknown): boolean {
  const isTimedOut = error instanceof TemporarilyUnavailable && $metadata?.httpStatusCode === undefined;
  return isTimedOut || (typeof code === "string" && unreachable.has(code));
}

/** Every error of DynamoDB has a name, and every response is JSON. */
function isOfAnotherServer({ name, $metadata: { httpStatusCode = 500 } = {} }: Failure): boolean {
  return (name === "Unknown" || name === "SyntaxError") && httpStatusCode < 500;
}

function addressOf({ endpoint }: PlaceOptions): string | undefined {
  return endpoint ?? process.env.AWS_ENDPOINT_URL_DYNAMODB;
}

function noTable(options: PlaceOptions): string {
  const where = options.endpoint ?? process.env.AWS_REGION ?? "the configured region";
  const name = tableName(options);
  return `there is no table "${name}" in ${where}: deploy the service first, or name its table with --table`;
}

function noResponse(options: PlaceOptions, { name, code, hostname }: Failure): string {
  const { AWS_REGION = "the configured region" } = process.env;
  const address = addressOf(options);
  const where = address ?? hostname ?? `DynamoDB in ${AWS_REGION}`;
  const hint =
    address === undefined
      ? "is the region right, and the network up"
      : "is it running, and is the address right";
  return `no response from ${where} (${code ?? name}): ${hint}?`;
}
