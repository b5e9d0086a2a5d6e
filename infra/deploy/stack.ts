/** Reads the status and outputs of a deployed stage from CloudFormation. */
import { createRequire } from "node:module";
import { explainCredentials } from "../admin/aws-profiles.ts";
import { Refusal } from "../refusal.ts";
import { frameworkPackages } from "./framework.ts";
import type { Stage } from "./stages.ts";

export interface Stack {
  status: string;
  outputs: Readonly<Record<string, string>>;
}

interface Description {
  StackStatus: string;
  Outputs?: { OutputKey: string; OutputValue: string }[];
}

/** The part of the framework's @aws-sdk/client-cloudformation that is used here. */
interface CloudFormationModule {
  CloudFormation: new (
    config: object,
  ) => { describeStacks(input: { StackName: string }): Promise<{ Stacks: Description[] }> };
}

/** Returns undefined if there is no such stack. */
export async function describeStack({ stack, region }: Stage): Promise<Stack | undefined> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const load = createRequire(frameworkPackages);
  const { CloudFormation }: CloudFormationModule = load("@aws-sdk/client-cloudformation");
  const client = new CloudFormation({ region, requestHandler: { connectionTimeout: 5000 } });
  try {
    const { Stacks } = await client.describeStacks({ StackName: stack });
    const [{ StackStatus: status, Outputs = [] } = { StackStatus: "" }] = Stacks;
    const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue] as const);
    return { status, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw new Refusal(explain(error as Error & { code?: string }, region));
  }
}

function explain({ name, message, code }: Error & { code?: string }, region: string): string {
  if (name === "CredentialsProviderError") {
    const advice = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return explainCredentials(message) ?? `there are no AWS credentials: ${advice}`;
  }
  if (/^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch)/.test(name)) {
    return `AWS rejected the credentials (${message}): log in again, or choose others with AWS_PROFILE`;
  }
  if (/^AccessDenied/.test(name)) return `AWS denied the call: ${message}`;
  if (code !== undefined) return `CloudFormation cannot be reached in ${region} (${code})`;
  return `CloudFormation refused the call: ${name}: ${message}`;
}
