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
  return `${is}; "A failed deployment" in infra/RUNBOOK.md says what that means`;
}

export interface Deployment {
  /** Of its archives in the bucket: "1763863200000-2025-11-23T02:00:00.000Z". */
  folder: string;
  commit: string;
}

/**
 * `current` is undefined before the first deployment has succeeded, `before` if its archives are not kept any more. A
 * deployment that failed has archives too, which `forget` removes before the next one.
 */
export async function readDeployments(stage: Stage, { outputs }: Stack) {
  const folder = await readCurrentFolder(stage);
  const older = (await readKeys(stage, outputs)).map(folderOf).filter((other) => other < folder);
  const last = older.sort().at(-1);
  return {
    current: folder ? { folder, commit: outputs.Commit ?? "unknown" } : undefined,
    before: last ? { folder: last, commit: await readCommit(stage, outputs, last) } : undefined,
  };
}

/** Removes archives of deployments other than the current one. */
export async function forget(stage: Stage, { outputs }: Stack, others: "newer" | "all"): Promise<void> {
  const current = await readCurrentFolder(stage);
  const isForgotten = (folder: string) => (others === "newer" ? folder > current : folder !== current);
  const keys = (await readKeys(stage, outputs)).filter((key) => isForgotten(folderOf(key)));
  if (keys.length === 0) return;
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  await connect("S3", stage.region).deleteObjects({ Bucket: bucketOf(outputs), Delete });
}

/** The folder of the archives that the functions have: after a rollback it is not the newest. */
async function readCurrentFolder({ stack, region }: Stage): Promise<string> {
  const { TemplateBody } = await connect("CloudFormation", region).getTemplate({ StackName: stack });
  return folderOf(JSON.parse(TemplateBody).Resources.TagsLambdaFunction?.Properties.Code.S3Key ?? "");
}

async function readCommit({ name, region }: Stage, outputs: Stack["outputs"], folder: string) {
  const Key = `${prefixOf(name)}${folder}/compiled-cloudformation-template.json`;
  const { Body } = await connect("S3", region).getObject({ Bucket: bucketOf(outputs), Key });
  return JSON.parse(await Body.transformToString()).Outputs.Commit?.Value ?? "unknown";
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
