/** Calls AWS with the clients that come with the framework. */
import { createRequire } from "node:module";
import { explainCredentials } from "../cli/aws-settings.ts";
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
    getAccountSettings(input: object): Promise<{ AccountLimit: { ConcurrentExecutions: number } }>;
    invoke: Call<"FunctionName" | "Payload", { Payload: Body }>;
  };
  S3: {
    getObject: Call<"Bucket" | "Key", { Body: Body }>;
    putObject(input: { Bucket: string; Key: string; Body: Uint8Array | string }): Promise<unknown>;
  };
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

export interface StackEvent {
  Timestamp: Date;
  LogicalResourceId: string;
  ResourceStatus: string;
  ResourceStatusReason?: string;
}

interface ChangeSetName {
  StackName: string;
  ChangeSetName: string;
}

interface ChangeSetInput extends ChangeSetName {
  ChangeSetType: "CREATE" | "UPDATE";
  TemplateURL: string;
  Parameters: { ParameterKey: string; ParameterValue: string }[];
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
    const settings = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return explainCredentials(message) ?? `there are no AWS credentials: ${settings}`;
  }
  if (message === "Region is missing") return "there is no AWS region: set AWS_REGION";
  return $metadata && `the call of AWS failed: ${name}: ${message || code}`;
}
