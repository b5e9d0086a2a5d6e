/** Explains an error in one line that says what to do, and maps it to an exit code. */
import { CommanderError } from "commander";
import { ApiError, InternalError, TemporarilyUnavailable } from "../../lib/contract/errors.ts";
import type { Detail } from "../../lib/contract/responses/error-body.ts";
import { isOutcomeUnknown, isWorthRunningAgain } from "../clients/api/error-codes.ts";
import { explainCredentials } from "./aws-settings.ts";
import { namingOptions, type TableOptions, tableName } from "./options.ts";
import { Refusal, UsageError } from "./refusal.ts";

type Failure = NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number } };

function noLocation(): string {
  const key = process.env.BURGEE_KEY ? "whose key BURGEE_KEY has" : "with its key in BURGEE_KEY";
  return (
    `no service and no table to work on: give --url URL for an API, ${key}, --data DIR for a folder of this machine, ` +
    "--endpoint URL for a DynamoDB engine, " +
    "or set AWS_REGION and credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) for AWS"
  );
}

/** Returns undefined for an unexpected error, which is printed with its stack. */
export function explain(error: unknown, options: TableOptions, goOn?: string): string | undefined {
  const failure = rootOf(error);
  // All that is known of a failure of the service is its response.
  const isOfService = error instanceof ApiError && (error.status < 500 || options.url !== undefined);
  const isRefused = failure instanceof Refusal;
  const settings = failure && !isOfService && !isRefused ? settingsIssue(failure, options) : undefined;
  const reason = isOfService ? namingOptions(error.message) : (settings ?? reasonOf(error, failure, options));
  if (reason === undefined || !(error instanceof ApiError)) return reason;
  const { status, code, details = [] } = error;
  const unknown = isOutcomeUnknown(code) ? ["it is not known whether the last write was stored"] : [];
  // The message of an API that cannot be reached says what to do first.
  const isUnreachable = isOfService && failure !== error;
  const again = goOn ?? (settings === undefined && !isUnreachable ? "run the command again" : "");
  const isTemporary = status >= 500 || (status !== 404 && isWorthRunningAgain(code));
  const sentence = !isTemporary ? [reason] : [reason, ...unknown, ...(again ? [again] : [])];
  return [sentence.join("; "), ...details.flatMap((one) => detailInWords(one, reason))].join("\n    ");
}

/** The outcome in one of several environments, of a feature of a trip, or what the message has not said of an issue. */
function detailInWords(detail: Detail, said: string): string[] {
  if ("feature" in detail) return [`${detail.feature}: ${detail.outcome}`];
  if ("environment" in detail) return [`${detail.environment}: ${detail.outcome}`];
  const text = "path" in detail ? `${detail.path || "it"} ${detail.message}` : detail.message;
  return said.includes(text) ? [] : [text];
}

/** Explains a failure that would come again: the command has no table, the wrong one, or no permission for it. */
function settingsIssue({ name, message }: Failure, options: TableOptions): string | undefined {
  if (message === "Region is missing") return noLocation();
  if (name === "CredentialsProviderError") return explainCredentials(message) ?? noLocation();
  if (message.startsWith("Region not accepted")) return `the AWS region is invalid: ${message}`;
  if (name === "AccessDeniedException") {
    return `AWS denied the call: ${message}; the policies are in docs/OPERATIONS.md#permissions`;
  }
  if (name === "ResourceNotFoundException") {
    const table = tableName(options);
    const where = options.data ?? options.endpoint;
    const advice = `${where === undefined ? "deploy the service first, or " : ""}name its table with --table`;
    return `there is no table "${table}" in ${where ?? regionInWords()}: ${advice}`;
  }
  const address = endpointOf(options);
  // Every error of DynamoDB has a name, and every response is JSON.
  if (address !== undefined && (name === "Unknown" || name === "SyntaxError")) {
    return `${address} is not the address of a DynamoDB engine; npm start prints the --endpoint of its engine`;
  }
  return undefined;
}

function reasonOf(error: unknown, failure: Failure | undefined, options: TableOptions): string | undefined {
  if (failure === undefined) return undefined;
  const { name, message, code, $metadata } = failure;
  if (failure instanceof Refusal) return message;
  if (name === "ExitPromptError") return "nothing was changed";
  if ($metadata?.httpStatusCode !== undefined) return `DynamoDB refused the call: ${name}: ${message}`;
  // In this process no log has the cause.
  if (error instanceof InternalError) return `${error.message} (${message})`;
  if (error instanceof TemporarilyUnavailable || typeof code === "string") {
    const where = endpointOf(options) ?? `DynamoDB in ${regionInWords()}`;
    return `no response from ${where} (${code ?? name}): check the address, the region and the network`;
  }
  return error instanceof ApiError ? message : undefined;
}

function endpointOf({ endpoint }: TableOptions): string | undefined {
  return endpoint ?? process.env.AWS_ENDPOINT_URL_DYNAMODB;
}

function regionInWords(): string {
  return process.env.AWS_REGION ?? "the configured region";
}

/** The message of an ApiError is for HTTP clients; its cause has the details. */
function rootOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error instanceof ApiError && rootOf(error.cause)) || error;
}

/** Each code means one thing in every command; `differences` is only for a command with --exit-code. */
export const exitCodes = { failure: 1, usage: 2, differences: 3, interrupted: 130 };

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof UsageError) return exitCodes.usage;
  return error instanceof Error && error.name === "ExitPromptError"
    ? exitCodes.interrupted
    : exitCodes.failure;
}
