/** Calls AWS with the clients that come with the framework. */
import { createRequire } from "node:module";
import { explainCredentials } from "../cli/aws-settings.ts";
import { frameworkPackages } from "./framework.ts";

type Call<Name extends string, Output> = (input: Record<Name, string>) => Promise<Output>;

/** The calls that the deployment commands make themselves. */
interface Services {
  CloudFormation: {
    describeStacks: Call<"StackName", { Stacks: [StackDescription] }>;
    getTemplate: Call<"StackName", { TemplateBody: string }>;
    updateStack(input: { StackName: string; TemplateURL: string; Capabilities: string[] }): Promise<unknown>;
    deleteStack: Call<"StackName", unknown>;
  };
  DynamoDB: {
    describeTable: Call<"TableName", { Table: TableDescription }>;
    updateTable(input: { TableName: string; DeletionProtectionEnabled: boolean }): Promise<unknown>;
  };
  Lambda: {
    getAccountSettings(input: object): Promise<{ AccountLimit: ConcurrencyLimits }>;
    invoke: Call<"FunctionName" | "Payload", { Payload: Body }>;
  };
  S3: {
    listObjectsV2: Call<"Bucket" | "Prefix", { Contents?: { Key: string }[] }>;
    getObject: Call<"Bucket" | "Key", { Body: Body }>;
    deleteObjects(input: { Bucket: string; Delete: { Objects: { Key: string }[] } }): Promise<unknown>;
  };
  SNS: { getTopicAttributes: Call<"TopicArn", unknown> };
  STS: {
    getCallerIdentity(input: object): Promise<{ Arn: string }>;
    config: { region(): Promise<string> };
  };
}

interface Body {
  transformToString(): Promise<string> | string;
}

interface StackDescription {
  StackStatus: string;
  EnableTerminationProtection?: boolean;
  Outputs?: { OutputKey: string; OutputValue: string }[];
}

interface ConcurrencyLimits {
  ConcurrentExecutions: number;
  UnreservedConcurrentExecutions: number;
}

interface Ceilings {
  OnDemandThroughput?: { MaxReadRequestUnits?: number; MaxWriteRequestUnits?: number };
}

export interface TableDescription extends Ceilings {
  DeletionProtectionEnabled?: boolean;
  GlobalSecondaryIndexes?: Ceilings[];
  LatestStreamArn?: string;
}

type Module = { [Name in keyof Services]: new (config: object) => Services[Name] };

/** Of AWS_REGION or, as the AWS CLI, of the profile. */
export const readRegion = (): Promise<string> => connect("STS").config.region();

export function connect<Name extends keyof Services>(name: Name, region?: string): Services[Name] {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const load = createRequire(frameworkPackages);
  const clients: Module = load(`@aws-sdk/client-${name.toLowerCase()}`);
  return new clients[name]({ ...(region && { region }), requestHandler: { connectionTimeout: 5000 } });
}

/** Explains why a call failed; returns undefined for an error that is not of a call. */
export function explainAwsError(error: unknown): string | undefined {
  const { name, message, code, $metadata } = error as Error & { code?: string; $metadata?: object };
  if (name === "CredentialsProviderError") {
    const advice = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return explainCredentials(message) ?? `there are no AWS credentials: ${advice}`;
  }
  if (message === "Region is missing") return "there is no AWS region: set AWS_REGION";
  return $metadata && `the call of AWS failed: ${name}: ${message || code}`;
}
