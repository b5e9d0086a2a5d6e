/** Reads the settings of a stage: those of infra/aws/settings.yml, overridden by the stage's own. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import * as z from "zod/mini";
import { describe } from "../../lib/contract/validate.ts";
import { Refusal } from "../cli/refusal.ts";
import { describeIssues } from "./settings-issues.ts";

const file = "infra/aws/settings.yml";

const amount = z.int().check(z.positive("must be 1 or more"));
const seconds = z.string().check(z.regex(/^\d+$/, "must be a number of seconds"));
const text = z.string().check(z.minLength(1, "must not be empty"));
const arn = z.string().check(z.startsWith("arn:", 'must be an ARN, which begins with "arn:"'));
/** A value that CloudFormation computes. */
const computed = z.record(z.string(), z.unknown());
/** As CloudFormation takes it. */
const truststore = z.pipe(
  z.string().check(z.startsWith("s3://", 'must begin with "s3://"')),
  z.transform((TruststoreUri: string) => ({ TruststoreUri })),
);
const ownTable = z.strictObject({ Ref: z.literal("Table") });

/** Of the API, for `/patch` and other pages: what they may send, and what they may read. */
const headers = {
  allowed: [
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Prefer",
    "Burgee-Reason",
  ],
  exposed: [
    "ETag",
    "Burgee-Change",
    "Burgee-Environments",
    "Burgee-Hint",
    "Location",
    "Preference-Applied",
    "Retry-After",
  ],
};

const settingsSchema = z
  .strictObject({
    table: z.union([text, ownTable]),
    keepTable: z.boolean(),
    maxReadUnits: amount,
    maxWriteUnits: amount,
    rateLimit: amount,
    burstLimit: amount,
    keyCacheSeconds: seconds,
    documentCacheSeconds: seconds,
    reservedConcurrency: z.partial(z.strictObject({ tags: amount, variants: amount, read: amount })),
    logRetentionDays: amount,
    monitoring: z.boolean(),
    alarmTopic: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({ kind: z.literal("email"), address: z.email("must be an email address") }),
      z.strictObject({ kind: z.literal("existing"), arn }),
    ]),
    alarmLatencyMs: amount,
    events: z.strictObject({
      to: z.enum(["none", "bus"]),
      busArn: z.union([arn, computed]),
      streamArn: z.union([arn, computed]),
    }),
    domain: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({
        kind: z.literal("custom"),
        name: z.hostname("must be the name of a host"),
        certificateArn: arn,
        defaultAddress: z.boolean(),
        truststore: z.optional(truststore),
      }),
    ]),
    cors: z.union([
      z.literal(false),
      z.strictObject({
        allowedOrigins: z.array(text),
        allowedHeaders: z._default(z.array(text), headers.allowed),
        exposedResponseHeaders: z._default(z.array(text), headers.exposed),
        allowCredentials: z.optional(z.boolean()),
        maxAge: z.optional(z.int()),
      }),
    ]),
  })
  .check(
    z.refine(
      ({ events, table }) =>
        events.to === "none" || typeof table === "object" || typeof events.streamArn === "string",
      { path: ["events"], error: "would be those of the stack's own table: set streamArn" },
    ),
    z.refine(({ domain }) => domain.kind === "none" || !domain.truststore || !domain.defaultAddress, {
      path: ["domain", "defaultAddress"],
      error: "must be false with a truststore: clients without a certificate could use that address",
    }),
  );

export type Settings = z.infer<typeof settingsSchema>;

/** Some settings, as a file or a stack has them. */
type Own = Readonly<Record<string, unknown>>;

export interface StageSettings {
  settings: Settings;
  /** Those that differ from infra/aws/settings.yml. The stack keeps them. */
  own: Own;
  /** The names of those that differ from what is deployed. */
  changed: readonly string[];
  /** The stages of a file that does not have this one. */
  otherStages: readonly string[] | undefined;
}

/**
 * A file changes the settings that it names, and the stage keeps its others. Refuses an unlisted stage: a mistyped one
 * would be deployed beside the intended one.
 */
export function readSettings(stage: string, ownFile?: string, kept?: Own): StageSettings {
  const project = readStages(file);
  const given = ownFile === undefined ? {} : readStages(ownFile);
  // A stage that the project does not have is like prod.
  const { [stage]: base = (given[stage] || kept) && project.prod } = project;
  if (!base) {
    const files = [file, ownFile].filter(Boolean).join(" or ");
    const known = Object.keys({ ...project, ...given }).join(", ");
    throw new Refusal(`there is no stage "${stage}" in ${files}: there are ${known}`);
  }
  // Without those that this version no longer has.
  const known = Object.entries(kept ?? {}).filter(([name]) => name in base);
  const deployed = merge(base, Object.fromEntries(known));
  const merged = merge(deployed, given[stage]);
  const { data: settings, error } = settingsSchema.safeParse(merged, { error: describe });
  if (!settings) {
    const issues = describeIssues(settingsSchema, error.issues);
    throw new Refusal(`the settings of ${stage} are wrong:\n${issues}`);
  }
  const differing = (from: Own) =>
    Object.entries(merged).filter(([name, value]) => !isDeepStrictEqual(value, from[name]));
  return {
    settings,
    own: Object.fromEntries(differing(base)),
    changed: differing(deployed).map(([name]) => name),
    otherStages: ownFile === undefined || given[stage] ? undefined : Object.keys(given),
  };
}

/** Of events, which have defaults of their own, also part can be named. */
function merge(base: Own, changes: Own = {}): Own {
  const events = { ...(base.events as object), ...(changes.events as object) };
  return { ...base, ...changes, events };
}

const stagesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

function readStages(name: string): z.infer<typeof stagesSchema> {
  let content: unknown;
  try {
    content = parse(readFileSync(name, "utf8"), { merge: true }) ?? {};
  } catch (error) {
    throw new Refusal(`${name} cannot be read: ${(error as Error).message}`);
  }
  const { data, error } = stagesSchema.safeParse(content);
  if (data) return data;
  const [stage] = error.issues[0]?.path ?? [];
  throw new Refusal(
    `${name}: ${stage === undefined ? "stages" : `the stage ${String(stage)}`} must be a map of settings`,
  );
}
