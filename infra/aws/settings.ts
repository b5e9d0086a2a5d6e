/** Reads the settings of a stage: those of infra/aws/settings.yml, overridden by a file of the operator's own. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod/mini";
import { describe } from "../../lib/contract/validate.ts";
import { Refusal } from "../cli/refusal.ts";
import { describeIssues } from "./settings-issues.ts";

/** Of the deployment commands. */
export interface Options {
  stage: string;
  region?: string;
  settings?: string;
  yes?: boolean;
  check?: boolean;
}

const file = "infra/aws/settings.yml";

const amount = z.int().check(z.positive("must be 1 or more"));
const text = z.string().check(z.minLength(1, "must not be empty"));
const arn = z.string().check(z.startsWith("arn:", 'must be an ARN, which begins with "arn:"'));
/** A value that CloudFormation computes. */
const computed = z.record(z.string(), z.unknown());
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
    region: text,
    table: z.union([text, ownTable]),
    keepTable: z.boolean(),
    deletionProtection: z.boolean(),
    tablePolicy: z.enum(["none", "people"]),
    maxReadUnits: amount,
    maxWriteUnits: amount,
    rateLimit: amount,
    burstLimit: amount,
    keyCacheSeconds: z.string().check(z.regex(/^\d+$/, "must be a number of seconds")),
    reservedConcurrency: z.partial(z.strictObject({ tags: amount, variants: amount })),
    deploymentRole: z.nullable(arn),
    deploymentBucket: z.nullable(text),
    permissionsBoundary: z.union([arn, computed]),
    logRetentionDays: amount,
    monitoring: z.enum(["none", "standard", "full"]),
    alarmTopic: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({ kind: z.literal("email"), address: z.email("must be an email address") }),
      z.strictObject({ kind: z.literal("existing"), arn }),
    ]),
    alarmLatencyMs: amount,
    tracing: z.enum(["PassThrough", "Active"]),
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
  );

export type Settings = z.infer<typeof settingsSchema>;

export interface Stage {
  name: string;
  region: string;
  stack: string;
  settings: Settings;
}

/** Refuses an unlisted stage: a mistyped one would be deployed beside the intended one. */
export function findStage({ stage: name, region, settings: own }: Options): Stage {
  const stages = mergeStages(own);
  const found = stages[name];
  if (!found) {
    const files = [file, own].filter(Boolean).join(" or ");
    const known = Object.keys(stages).join(", ");
    throw new Refusal(`there is no stage "${name}" in ${files}: there are ${known}`);
  }
  // The policies of a stage are for the names "burgee-<stage>-*", which must not be another stage's.
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    throw new Refusal(`the stage "${name}" needs a name of lower-case letters and digits only`);
  }
  const { data: settings, error } = settingsSchema.safeParse(found, { error: describe });
  if (!settings) {
    const issues = describeIssues(settingsSchema, error.issues);
    throw new Refusal(`the settings of ${name} are wrong:\n${issues}`);
  }
  return { name, region: region ?? settings.region, stack: `burgee-${name}`, settings };
}

const stagesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

type Stages = z.infer<typeof stagesSchema>;

/** A stage of one's own that the project does not have names the one that it is based on: `like: prod`. */
function mergeStages(own: string | undefined): Stages {
  const project = readYaml(file);
  const overrides = own === undefined ? {} : readYaml(own);
  const merged = Object.entries(overrides).map(([name, { like = name, ...settings }]) => {
    const base = project[String(like)];
    if (!base)
      throw new Refusal(
        `${own}: ${file} has no stage ${String(like)}; of a new stage "like" must name one that it has`,
      );
    const events = { ...(base.events as object), ...(settings.events as object) };
    return [name, { ...base, ...settings, events }] as const;
  });
  return { ...project, ...Object.fromEntries(merged) };
}

function readYaml(name: string): Stages {
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
