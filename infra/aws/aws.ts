/** Calls AWS with the clients that come with the framework. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { explainCredentials } from "../cli/aws-settings.ts";
import { Refusal } from "../cli/refusal.ts";
import { frameworkPackages } from "./framework.ts";

type Call<Name extends string, Output> = (input: Record<Name, string>) => Promise<Output>;

/** The calls that the deployment commands make themselves. */
interface Services {
  CloudFormation: {
    describeStacks: Call<"StackName", { Stacks: [StackDescription] }>;
    describeStackEvents: Call<"StackName", { StackEvents: StackEvent[] }>;
    createChangeSet(input: ChangeSetInput): Promise<unknown>;
    describeChangeSet(
      input: ChangeSetName & { NextToken?: string | undefined },
    ): Promise<ChangeSetDescription>;
    executeChangeSet(input: ChangeSetName): Promise<unknown>;
    deleteChangeSet(input: ChangeSetName): Promise<unknown>;
    setStackPolicy: Call<"StackName" | "StackPolicyBody", unknown>;
    updateTerminationProtection(input: {
      StackName: string;
      EnableTerminationProtection: boolean;
    }): Promise<unknown>;
    deleteStack: Call<"StackName", unknown>;
  };
  DynamoDB: {
    describeTable: Call<"TableName", { Table: { DeletionProtectionEnabled?: boolean } }>;
    updateTable(input: { TableName: string; DeletionProtectionEnabled: boolean }): Promise<unknown>;
  };
  Lambda: {
    getAccountSettings(input: object): Promise<{ AccountLimit: ConcurrencyLimits }>;
    invoke: Call<"FunctionName" | "Payload", { Payload: Body }>;
  };
  S3: {
    listObjectsV2: Call<"Bucket" | "Prefix", { Contents?: { Key: string }[] }>;
    getObject: Call<"Bucket" | "Key", { Body: Body }>;
    putObject(input: { Bucket: string; Key: string; Body: Uint8Array | string }): Promise<unknown>;
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
  Parameters?: { ParameterKey: string; ParameterValue: string }[];
}

interface StackEvent {
  Timestamp: Date;
  LogicalResourceId: string;
  ResourceStatus: string;
  ResourceStatusReason?: string;
}

interface ChangeSetName {
  StackName: string;
  ChangeSetName: string;
}

/** A value, or that the stack keeps its own. */
export type Parameter = { ParameterKey: string } & ({ ParameterValue: string } | { UsePreviousValue: true });

interface ChangeSetInput extends ChangeSetName {
  ChangeSetType: "CREATE" | "UPDATE";
  TemplateURL: string;
  Parameters: Parameter[];
  Capabilities: string[];
  RoleARN?: string;
  Tags: { Key: string; Value: string }[];
}

interface ChangeSetDescription {
  Status: string;
  StatusReason?: string;
  ExecutionStatus?: string;
  Changes?: { ResourceChange: ResourceChange }[];
  NextToken?: string;
}

export interface ResourceChange {
  Action: string;
  LogicalResourceId: string;
  ResourceType: string;
  Replacement?: string;
  Details?: { Evaluation?: string; ChangeSource?: string; Target?: { Name?: string } }[];
}

interface ConcurrencyLimits {
  ConcurrentExecutions: number;
  UnreservedConcurrentExecutions: number;
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

const noCredentials =
  "there are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

/** Refuses before the framework is fetched, whose SDK would find that there are none. */
export async function requireCredentials(): Promise<void> {
  const { env } = process;
  const settings = ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"];
  const ofContainer = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  if ([...settings, ...ofContainer].some((name) => env[name])) return;
  const folder = path.join(homedir(), ".aws");
  const files = [
    env.AWS_SHARED_CREDENTIALS_FILE ?? path.join(folder, "credentials"),
    env.AWS_CONFIG_FILE ?? path.join(folder, "config"),
  ];
  if (files.some((file) => existsSync(file)) || (await isOnEc2())) return;
  throw new Refusal(noCredentials);
}

/** There the credentials are those of the machine's role. Any response counts: without a token it is a 401. */
async function isOnEc2(): Promise<boolean> {
  if (process.env.AWS_EC2_METADATA_DISABLED === "true") return false;
  const signal = AbortSignal.timeout(1000);
  return fetch("http://169.254.169.254/latest/meta-data/", { signal }).then(
    () => true,
    () => false,
  );
}

/** Explains why a call failed; returns undefined for an error that is not of a call. */
export function explainAwsError(error: unknown): string | undefined {
  const { name, message, code, $metadata } = error as Error & { code?: string; $metadata?: object };
  if (name === "CredentialsProviderError") {
    return explainCredentials(message) ?? noCredentials;
  }
  if (message === "Region is missing") return "there is no AWS region: set AWS_REGION";
  return $metadata && `the call of AWS failed: ${name}: ${message || code}`;
}
