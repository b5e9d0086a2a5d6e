/** Calls AWS with the clients that come with the framework. */
import { createRequire } from "node:module";
import type { CloudFormation, Parameter } from "@aws-sdk/client-cloudformation";
import type { DynamoDB } from "@aws-sdk/client-dynamodb";
import { explainCredentials } from "../cli/aws-settings.ts";
import { Refusal } from "../cli/refusal.ts";
import { frameworkPackages } from "./framework.ts";

export type { Parameter };

/** Of services with few calls, the calls that we make. */
interface Services {
  CloudFormation: CloudFormation;
  DynamoDB: DynamoDB;
  Lambda: {
    getAccountSettings(input: object): Promise<{ AccountLimit: { ConcurrentExecutions: number } }>;
    invoke(input: { FunctionName: string; Payload: string }): Promise<{ Payload: Body }>;
  };
  S3: {
    getObject(input: { Bucket: string; Key: string }): Promise<{ Body: Body }>;
    putObject(input: { Bucket: string; Key: string; Body: Uint8Array | string }): Promise<unknown>;
  };
  STS: {
    getCallerIdentity(input: object): Promise<{ Arn: string }>;
  };
}

interface Body {
  transformToString(): Promise<string> | string;
}

type Module = { [Name in keyof Services]: new (config: object) => Services[Name] };

/** Of AWS_REGION or, as the AWS CLI, of the profile. Needs nothing of the framework: it is known before that is fetched. */
export async function readRegion(): Promise<string> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
  return new DynamoDBClient({}).config.region();
}

export function connect<Name extends keyof Services>(name: Name, region?: string): Services[Name] {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const load = createRequire(frameworkPackages);
  const clients: Module = load(`@aws-sdk/client-${name.toLowerCase()}`);
  return new clients[name]({ ...(region && { region }), requestHandler: { connectionTimeout: 5000 } });
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
  return $metadata && `the call of AWS failed: ${name}: ${message || code}`;
}
