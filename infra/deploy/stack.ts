/** Reads the state of a deployed stage, and the deployments that can be rolled back to. */
import { Refusal } from "../refusal.ts";
import { connect, explain } from "./aws.ts";
import type { Stage } from "./settings.ts";

export interface Stack {
  status: string;
  outputs: Readonly<Record<string, string>>;
}

/** Returns undefined if there is no such stack. */
export async function describeStack({ stack, region }: Stage): Promise<Stack | undefined> {
  try {
    const { Stacks } = await connect("CloudFormation", region).describeStacks({ StackName: stack });
    const [{ StackStatus: status, Outputs = [] } = { StackStatus: "" }] = Stacks;
    const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue] as const);
    return { status, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw new Refusal(explain(error, region));
  }
}

export interface Deployment {
  /** Of its archives in the bucket: "1763863200000-2025-11-23T02:00:00.000Z". */
  folder: string;
  commit: string;
}

export interface Deployments {
  /** Undefined before the first deployment has succeeded. */
  current?: Deployment;
  /** Undefined if its archives are not kept any more. */
  before?: Deployment;
}

/** A deployment that failed has archives too: `forgetOthers` removes them before the next one. */
export async function readDeployments(stage: Stage, { outputs }: Stack): Promise<Deployments> {
  const folder = await readCurrentFolder(stage);
  if (folder === undefined) return {};
  const current = { folder, commit: outputs.Commit ?? "unknown" };
  const folders = new Set((await readKeys(stage, outputs)).map(folderOf));
  const older = [...folders].filter((other) => other < folder).sort();
  const last = older.at(-1);
  if (last === undefined) return { current };
  const Key = `${prefixOf(stage)}${last}/compiled-cloudformation-template.json`;
  const s3 = connect("S3", stage.region);
  const { Body } = await explained(stage, s3.getObject({ Bucket: bucketOf(outputs), Key }));
  const template = JSON.parse(await Body.transformToString());
  return { current, before: { folder: last, commit: template.Outputs.Commit?.Value ?? "unknown" } };
}

/**
 * Removes the archives of deployments that failed or were rolled back: those newer than the current one. So the
 * framework compares new archives with what is deployed, and a rollback ends at a deployment that has served.
 */
export async function forgetFailed(stage: Stage, { outputs }: Stack): Promise<void> {
  const current = (await readCurrentFolder(stage)) ?? "";
  await forget(stage, outputs, (folder) => folder > current);
}

/** Removes the archives of all deployments but the current one. */
export async function forgetOthers(stage: Stage, { outputs }: Stack): Promise<void> {
  const current = await readCurrentFolder(stage);
  await forget(stage, outputs, (folder) => folder !== current);
}

async function forget(
  stage: Stage,
  outputs: Stack["outputs"],
  isForgotten: (folder: string) => boolean,
): Promise<void> {
  const keys = (await readKeys(stage, outputs)).filter((key) => isForgotten(folderOf(key)));
  if (keys.length === 0) return;
  const Objects = keys.map((Key) => ({ Key }));
  const s3 = connect("S3", stage.region);
  await explained(stage, s3.deleteObjects({ Bucket: bucketOf(outputs), Delete: { Objects } }));
}

/** The folder of the archives that the functions have: after a rollback it is not the newest. */
async function readCurrentFolder(stage: Stage): Promise<string | undefined> {
  const cloudFormation = connect("CloudFormation", stage.region);
  const { TemplateBody } = await explained(stage, cloudFormation.getTemplate({ StackName: stage.stack }));
  const { Resources } = JSON.parse(TemplateBody);
  const key: string | undefined = Resources.TagsLambdaFunction?.Properties.Code.S3Key;
  return key && folderOf(key);
}

async function readKeys(stage: Stage, outputs: Stack["outputs"]): Promise<string[]> {
  const input = { Bucket: bucketOf(outputs), Prefix: prefixOf(stage) };
  const { Contents = [] } = await explained(stage, connect("S3", stage.region).listObjectsV2(input));
  return Contents.map(({ Key }) => Key);
}

async function explained<Output>({ region }: Stage, call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw new Refusal(explain(error, region));
  }
}

function bucketOf({ ServerlessDeploymentBucketName: bucket = "" }: Stack["outputs"]): string {
  return bucket;
}

function prefixOf({ name }: Stage): string {
  return `serverless/burgee/${name}/`;
}

function folderOf(key: string): string {
  return key.split("/").at(-2) ?? "";
}

/** "abc1234, deployed 2025-11-23 02:00 UTC" */
export function describeDeployment({ folder, commit }: Deployment): string {
  return `${commit}, deployed ${folder.slice(folder.indexOf("-") + 1, -8).replace("T", " ")} UTC`;
}
