/** Reads the state of a deployed stage, and the deployments that can be rolled back to. */
import { connect } from "./aws.ts";
import type { Stage } from "./settings.ts";

export interface Stack {
  status: string;
  outputs: Readonly<Record<string, string>>;
}

/** Returns undefined if there is no such stack. */
export async function findStack({ stack, region }: Stage): Promise<Stack | undefined> {
  try {
    const { Stacks } = await connect("CloudFormation", region).describeStacks({ StackName: stack });
    const [{ StackStatus: status, Outputs = [] }] = Stacks;
    const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue] as const);
    return { status, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/** "the stack burgee-prod is UPDATE_COMPLETE" */
export function describeStack(stack: Stack | undefined, { stack: name, region }: Stage): string {
  if (!stack) return `there is no stack ${name} in ${region}`;
  const is = `the stack ${name} is ${stack.status}`;
  if (/^(CREATE|UPDATE)_COMPLETE$/.test(stack.status)) return is;
  return `${is}; "A failed deployment" in docs/RUNBOOK.md says what that means`;
}

export interface Deployment {
  /** Of its archives in the bucket: "1763863200000-2025-11-23T02:00:00.000Z". */
  folder: string;
  commit: string;
}

interface Template {
  Resources: Record<string, { Properties?: FunctionProperties }>;
  Outputs: Record<string, { Value: string }>;
}

/** What is read of a function. */
interface FunctionProperties {
  Code: { S3Key: string };
  ReservedConcurrentExecutions?: number;
}

/**
 * `current` is undefined before the first deployment has succeeded, `before` if its archives are not kept any more. A
 * deployment that failed has archives too, until the next one.
 */
export async function readDeployments(stage: Stage, { outputs }: Stack) {
  const template = await readDeployed(stage);
  // Of the archives that the functions have: after a rollback it is not the newest.
  const folder = folderOf(template.Resources.TagsLambdaFunction?.Properties?.Code.S3Key ?? "");
  if (folder === "") return {};
  const current = toDeployment(folder, template);
  const older = (await readKeys(stage, outputs)).map(folderOf).filter((other) => other < folder);
  const last = older.sort().at(-1);
  const before = last ? toDeployment(last, await readArchived(stage, outputs, last)) : undefined;
  return { current, before };
}

/** The concurrency that the deployed functions reserve. */
export async function readReserved(stage: Stage): Promise<number> {
  const { Resources } = await readDeployed(stage);
  const reserved = Object.values(Resources).map(
    ({ Properties }) => Properties?.ReservedConcurrentExecutions ?? 0,
  );
  return reserved.reduce((sum, each) => sum + each, 0);
}

async function readDeployed({ stack: StackName, region }: Stage): Promise<Template> {
  const { TemplateBody } = await connect("CloudFormation", region).getTemplate({ StackName });
  return JSON.parse(TemplateBody);
}

/** Deletes the archives of deployments that failed or were rolled back. */
export async function deleteNewerArchives(stage: Stage, { outputs }: Stack, current = ""): Promise<void> {
  const keys = (await readKeys(stage, outputs)).filter((key) => folderOf(key) > current);
  if (keys.length === 0) return;
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  await connect("S3", stage.region).deleteObjects({ Bucket: bucketOf(outputs), Delete });
}

const toDeployment = (folder: string, { Outputs }: Template): Deployment => ({
  folder,
  commit: Outputs.Commit?.Value ?? "unknown",
});

async function readArchived(
  { name, region }: Stage,
  outputs: Stack["outputs"],
  folder: string,
): Promise<Template> {
  const Key = `${prefixOf(name)}${folder}/compiled-cloudformation-template.json`;
  const { Body } = await connect("S3", region).getObject({ Bucket: bucketOf(outputs), Key });
  return JSON.parse(await Body.transformToString());
}

async function readKeys({ name, region }: Stage, outputs: Stack["outputs"]): Promise<string[]> {
  const input = { Bucket: bucketOf(outputs), Prefix: prefixOf(name) };
  const { Contents = [] } = await connect("S3", region).listObjectsV2(input);
  return Contents.map(({ Key }) => Key);
}

const bucketOf = ({ ServerlessDeploymentBucketName: bucket = "" }: Stack["outputs"]) => bucket;
const prefixOf = (stage: string) => `serverless/burgee/${stage}/`;
const folderOf = (key: string) => key.split("/").at(-2) ?? "";

/** "abc1234, deployed 2025-11-23 02:00 UTC" */
export function describeDeployment({ folder, commit }: Deployment): string {
  return `${commit}, deployed ${folder.slice(folder.indexOf("-") + 1, -8).replace("T", " ")} UTC`;
}

/** Whether the table is protected against deletion. */
export async function isProtected(region: string, TableName: string): Promise<boolean> {
  const { Table } = await connect("DynamoDB", region).describeTable({ TableName });
  return Table.DeletionProtectionEnabled ?? false;
}

export async function setProtection(region: string, TableName: string, to: boolean): Promise<void> {
  if ((await isProtected(region, TableName)) === to) return;
  await connect("DynamoDB", region).updateTable({ TableName, DeletionProtectionEnabled: to });
}
