/** Writes one line of JSON for each request: names, outcomes and reasons, never a key or a body. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { Caller } from "../access/permissions.ts";
import type { ApiError } from "../contract/errors.ts";
import type { Detail } from "../contract/responses/error-body.ts";
import type { Stamp, StoredOptions } from "../features/stamp.ts";
import type { Invocation } from "../service.ts";
import type { HttpRequest } from "./event.ts";
import type { RequestOptions } from "./options.ts";
import type { Answer, PathParameters, Route } from "./route.ts";

type LoggedOptions = Record<keyof StoredOptions, string | undefined>;

/** An entry has the stored options, such as the reason, even if the request is refused after they were read. */
export interface LogEntry extends NonNullable<Answer["log"]>, Partial<LoggedOptions> {
  /** The id that API Gateway gave the request; Lambda's own where there is no HTTP request. */
  requestId: string;
  coldStart: boolean;
  /** The time until the process could take a request; in a cold start only. */
  initMs?: number;
  route?: string | undefined;
  /** The name of the API key. */
  caller?: string | undefined;
  /** The first characters of that key's hash. */
  keyHash?: string | undefined;
  path?: PathParameters | undefined;
  dryRun?: boolean | undefined;
  /**
   * The id of what is stored, or may be: not only of a change, but also of a tag update, creation, deletion or
   * restoration. Names of fields are stable (docs/OPERATIONS.md), so it stays `change`.
   */
  change?: string | undefined;
  environments?: Readonly<Record<string, string>> | undefined;
  /** The largest share of an environment's users who move, or would; null if it cannot be computed. */
  moves?: number | null | undefined;
  error?: Pick<ApiError, "name" | "code" | "undoneBy"> & { id: string; cause: string | undefined };
  /** `throttling` has DynamoDB's reasons, also if a retry succeeded. */
  table?: { calls: number; sends: number; conflicts: number; ms: number; throttling: string[] | undefined };
  status?: number | undefined;
  ms?: number;
}

/** JSON leaves these characters as they are; some log readers take them for line ends or commands, or reorder text. */
const unprintable = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** Writes to stdout directly, because Lambda's console would put text before the JSON. */
export function writeLog(entry: LogEntry): void {
  const level = (entry.status ?? 500) < 500 ? "info" : "error";
  const line = JSON.stringify({ time: new Date().toISOString(), level, ...entry });
  process.stdout.write(`${line.replace(unprintable, escapeCharacter)}\n`);
}

function escapeCharacter(character: string): string {
  const units = character.split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** The results of the steps so far. The log has those of a refused request too. */
export interface RequestProgress {
  request?: HttpRequest;
  route?: Pick<Route<never>, "method" | "path" | "ignoresStampId">;
  caller?: Caller;
  parameters?: PathParameters;
  options?: RequestOptions;
  stamp?: Stamp;
  answer?: Answer;
}

export type HandledRequest = RequestProgress &
  (
    | { response: APIGatewayProxyStructuredResultV2; error?: never; errorId?: never }
    | { response?: never; error: ApiError; errorId: string }
  );

export function toLogEntry(
  handled: HandledRequest,
  usage: Invocation<unknown>["usage"],
): Partial<LogEntry> & LoggedOptions {
  const { request, route, caller, parameters, options, answer, error, errorId } = handled;
  const { calls, sends, conflicts, ms, throttling } = usage;
  return {
    ...(request && { requestId: request.id }),
    route: route && `${route.method} ${route.path}`,
    caller: caller?.name,
    keyHash: caller?.keyHash,
    path: parameters,
    dryRun: options?.dryRun || undefined,
    change: writeIdOf(handled),
    reason: options?.reason,
    guard: options?.guard?.name,
    moves: error ? error.log.movedShare : answer?.largestMovedShare,
    environments: outcomesIn(error ? error.details : answer?.environmentOutcomes, (detail) =>
      "environment" in detail ? [[detail.environment, detail.outcome]] : [],
    ),
    ...(error && {
      features: outcomesIn(error.details, (detail) =>
        "feature" in detail ? [[detail.feature, detail.outcome]] : [],
      ),
      error: describeError(error, errorId),
    }),
    ...answer?.log,
    table: {
      calls,
      sends,
      conflicts,
      ms: Math.round(ms),
      throttling: throttling.size > 0 ? [...throttling] : undefined,
    },
  };
}

/** Returns the id that the error or the answer has, or that of the stamp if it may be stored. */
function writeIdOf({ route, options, stamp, answer, error }: HandledRequest): string | undefined {
  const { changeId, writeId } = error ?? answer ?? {};
  const writesStamp = route?.method !== "GET" && !route?.ignoresStampId && !options?.dryRun;
  return writeId ?? changeId ?? (writesStamp && error?.mayBeStored ? stamp?.id : undefined);
}

function outcomesIn(
  details: readonly Detail[] = [],
  toEntries: (detail: Detail) => (readonly [string, string])[],
) {
  const outcomes = details.flatMap(toEntries);
  return outcomes.length > 0 ? Object.fromEntries(outcomes) : undefined;
}

/** The message is left out, as it may quote the body. */
function describeError(error: ApiError, id: string): NonNullable<LogEntry["error"]> {
  const { name, status, code, undoneBy } = error;
  return { id, name, code, undoneBy, cause: status >= 500 ? causeOf(error) : undefined };
}

/** Describes the cause for the log. A response never has it. */
function causeOf({ cause, stack }: ApiError): string {
  return String(cause instanceof Error ? cause.stack : (cause ?? stack));
}
