/** Reads the archives of a stage's deployments: the current one, and the one before, which can be rolled back to. */
import { connect } from "./aws.ts";
import type { Stack, Stage } from "./stack.ts";

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
  const older = (await readKeys(stage, bucketOf(outputs))).map(folderOf).filter((other) => other < folder);
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

/** Deletes the archives that are newer than this folder, or all. */
export async function deleteArchives(stage: Stage, Bucket: string, newerThan = ""): Promise<void> {
  const keys = (await readKeys(stage, Bucket)).filter((key) => folderOf(key) > newerThan);
  if (keys.length === 0) return;
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  await connect("S3", stage.region).deleteObjects({ Bucket, Delete });
}

const toDeployment = (folder: string, { Outputs }: Template): Deployment => ({
  folder,
  commit: Outputs.Commit?.Value ?? "unknown",
});

async function readArchived(stage: Stage, outputs: Stack["outputs"], folder: string): Promise<Template> {
  const input = { Bucket: bucketOf(outputs), Key: templateKey(stage, folder) };
  const { Body } = await connect("S3", stage.region).getObject(input);
  return JSON.parse(await Body.transformToString());
}

async function readKeys({ name, region }: Stage, Bucket: string): Promise<string[]> {
  const input = { Bucket, Prefix: prefixOf(name) };
  const { Contents = [] } = await connect("S3", region).listObjectsV2(input);
  return Contents.map(({ Key }) => Key);
}

/** Empty before a first deployment has made it. */
export const bucketOf = ({ ServerlessDeploymentBucketName: bucket = "" }: Stack["outputs"]) => bucket;
const prefixOf = (stage: string) => `serverless/burgee/${stage}/`;
const folderOf = (key: string) => key.split("/").at(-2) ?? "";
const templateKey = ({ name }: Stage, folder: string) =>
  `${prefixOf(name)}${folder}/compiled-cloudformation-template.json`;

/** The address of a deployment's template, in the form that the policy of on-call demands. */
export function templateUrl(stage: Stage, { outputs }: Stack, { folder }: Deployment): string {
  const host = `s3.${stage.region}.amazonaws.com${stage.region.startsWith("cn-") ? ".cn" : ""}`;
  return `https://${host}/${bucketOf(outputs)}/${templateKey(stage, folder)}`;
}

/** "abc1234, deployed 2025-11-23 02:00 UTC" */
export function describeDeployment({ folder, commit }: Deployment): string {
  return `${commit}, deployed ${folder.slice(folder.indexOf("-") + 1, -8).replace("T", " ")} UTC`;
}
