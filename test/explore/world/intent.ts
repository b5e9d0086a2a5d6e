/** Defines what the clients of a scenario intend, and reads the responses that they receive. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { isOutcomeUnknown, isUndone } from "../../../infra/clients/api/error-codes.ts";
import type { ErrorCode } from "../../../lib/contract/responses/error-body.ts";
import type { HttpRequest } from "../../support/event.ts";

export interface Intent {
  /** Identifies what it leaves behind. */
  id: string;
  /** The name of one of several clients that send the same request. */
  name?: string;
  http: HttpRequest;
  /** The environments that a patch or a switch is for. */
  environments?: readonly string[];
  /** Whether it has an Idempotency-Key. */
  isIdempotent?: boolean;
  /** Whether it leaves its id as a trace in the variants (`tracesOf`). */
  leavesTrace?: boolean;
  /** Whether it leaves its id as a trace in the strategies (`strategyTracesOf`). */
  leavesStrategyTrace?: boolean;
  /** For a switch: what the feature is to be. */
  enabled?: boolean;
  /** Whether it is invalid once it, or one like it, was applied. */
  isExhaustible?: boolean;
  /** For an undo: the intent whose change it undoes, and the id of that change. */
  undoes?: { intent: string; change: string };
  /** Whether it creates the feature, or restores it. */
  creates?: boolean;
  /** Whether it restores the feature as it was left. */
  restores?: boolean;
  /** Whether it deletes the feature. */
  deletes?: boolean;
  /** Whether it reads the feature with all of its environments. */
  reads?: boolean;
  /** Of a trip: the guard. */
  trips?: string;
  /** Whether the time of the guard is over when it is sent. */
  isTooLate?: boolean;
  /** Whether it must give no user something else, where the feature is on. */
  mayMoveNone?: boolean;
  /** Whether it has to be refused before it writes anything. */
  isRefused?: boolean;
  /** The revision that its if-match stands for. */
  revision?: number;
  /** What it does to the tags, by their members in the feature's item. */
  tags?: { added: readonly string[]; removed: readonly string[] };
  /** For tags: the ETag in its if-match. */
  etag?: string;
  /** The only project in which its key may update tags. */
  project?: string;
  /** The hash of its API key, where the sandbox cannot know that key from before. */
  keyHash?: string;
}

export interface Reply {
  /** 0 when there was none: the process was killed. */
  status: number;
  headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent; the checks look at it.
  json: any;
}

/** An intent as it was sent once, or one run of the command line. */
export interface Attempt {
  name: string;
  intent?: Intent;
  reply?: Reply;
}

export type ReportedOutcome =
  | "patched"
  | "already patched"
  | "unchanged"
  | "failed"
  | "not known"
  | "undone"
  | "not attempted";

export const noReply: Reply = { status: 0, headers: {}, json: undefined };

export function toReply({ statusCode = 0, headers, body }: APIGatewayProxyStructuredResultV2): Reply {
  return { status: statusCode, headers: headers as Reply["headers"], json: body && JSON.parse(body) };
}

/** The outcome that a response reports for one environment; an error that names none reports that nothing was done. */
export function outcomeIn({ intent, reply = noReply }: Attempt, environment: string): ReportedOutcome {
  const { status, headers, json } = reply;
  if (status === 0) return "not known";
  if (intent?.trips !== undefined) return outcomeOfTrip(status, json);
  if (status === 200) {
    const pairs = (headers["burgee-environments"] ?? "").split(", ").map((pair) => pair.split("="));
    const outcomes = new Map(pairs.map(([name = "", outcome]) => [decodeURIComponent(name), outcome]));
    return (outcomes.get(environment) as ReportedOutcome | undefined) ?? "not attempted";
  }
  const detail = json.details?.find((one: { environment?: string }) => one.environment === environment);
  if (detail?.outcome === "failed" && isOutcomeUnknown(detail.code)) return "not known";
  if (detail?.outcome === "failed" && isUndone(detail.code)) return "undone";
  return detail?.outcome ?? "not attempted";
}

export function hasCode(error: { code?: ErrorCode }, code: ErrorCode): boolean {
  return error.code === code;
}

export function describeReply({ name, reply = noReply }: Attempt): string {
  if (reply.status === 0) return `${name}: no response`;
  const { message, details = [] } = (reply.json ?? {}) as {
    message?: string;
    details?: { environment?: string; outcome?: string }[];
  };
  const listed = details.map(({ environment, outcome }) => `${environment}: ${outcome}`).join(", ");
  const outcomes = reply.headers["burgee-environments"] ?? listed;
  return [`${name}: ${reply.status}`, message, outcomes && `(${outcomes})`].filter(Boolean).join(" ");
}

/** A trip reports features. Of one that the deadline ends, a write may be on its way. */
function outcomeOfTrip(status: number, { features = [], details = [] }: Reply["json"]): ReportedOutcome {
  const isUndone = [...features, ...details].some(({ outcome }) => outcome === "undone");
  if (isUndone) return "patched";
  return status === 503 ? "not known" : "unchanged";
}
