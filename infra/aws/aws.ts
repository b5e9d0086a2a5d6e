/** Calls AWS. */
import { createRequire } from "node:module";
import type { CloudFormation, Parameter } from "@aws-sdk/client-cloudformation";
import type { DynamoDB } from "@aws-sdk/client-dynamodb";
import type { Lambda } from "@aws-sdk/client-lambda";
import type { S3 } from "@aws-sdk/client-s3";
import type { STS } from "@aws-sdk/client-sts";
import { explainCredentials } from "../cli/aws-settings.ts";
import { Refusal } from "../cli/refusal.ts";

export type { Parameter };

interface Clients {
  CloudFormation: CloudFormation;
  DynamoDB: DynamoDB;
  Lambda: Lambda;
  S3: S3;
  STS: STS;
}

type Module = { [Name in keyof Clients]: new (config: object) => Clients[Name] };

/**
 * Loads the client when it is needed: a command needs one or two of them, and each takes time. Without a region it has
 * that of AWS_REGION or, as the AWS CLI, that of the profile.
 */
export function connect<Name extends keyof Clients>(name: Name, region?: string): Clients[Name] {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const load = createRequire(import.meta.url);
  const clients: Module = load(`@aws-sdk/client-${name.toLowerCase()}`);
  return new clients[name]({ ...(region && { region }), requestHandler: { connectionTimeout: 5000 } });
}

/** Returns undefined if what CloudFormation is asked for does not exist. */
export function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: Error) => {
    if (/does not exist/.test(error.message)) return undefined;
    throw error;
  });
}

/** Returns undefined for an unexpected error, which is printed with its stack. */
export function describeError(error: unknown): string | undefined {
  const { name, message, code, $metadata } = error as Error & { code?: string; $metadata?: object };
  if (error instanceof Refusal) return message;
  if (name === "ExitPromptError") return "nothing was changed";
  if (name === "CredentialsProviderError") {
    const settings = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return explainCredentials(message) ?? `there are no AWS credentials: ${settings}`;
  }
  if (message === "Region is missing") return "there is no AWS region: set AWS_REGION";
  const advice = /^AccessDenied/.test(name) ? "; the policies are in docs/OPERATIONS.md#permissions" : "";
  return $metadata && `the call of AWS failed: ${name}: ${message || code}${advice}`;
}
