/** The archives of a stage's deployments in the bucket, each in a folder: "deployments/20261127T020000Z-abc1234-1f2e3d4c". */
import { connect } from "./aws.ts";
import type { Packaged, Template } from "./framework.ts";
import type { Stage } from "./stack.ts";

const prefix = "deployments/";
const kept = 5;

/** The folder of what was packaged; that of the stage, if nothing changed. */
export function folderFor({ digest }: Packaged, commit: string, current = ""): string {
  if (current.endsWith(`-${digest}`)) return current;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${prefix}${time}-${commit}-${digest}`;
}

export async function upload({ region }: Stage, Bucket: string, folder: string, { files }: Packaged) {
  const s3 = connect("S3", region);
  const entries = Object.entries(files);
  await Promise.all(entries.map(([name, Body]) => s3.putObject({ Bucket, Key: `${folder}/${name}`, Body })));
}

/** The deployment before; undefined if its archives are not kept any more. */
export async function findBefore(stage: Stage, bucket: string, current: string): Promise<string | undefined> {
  return (await readFolders(stage, bucket)).filter((folder) => folder < current).at(-1);
}

/** Deletes archives of deployments that failed or were rolled back, and of all but the newest that served. */
export async function deleteArchives(stage: Stage, Bucket: string, current = ""): Promise<void> {
  const served = (await readFolders(stage, Bucket)).filter((folder) => folder <= current).slice(-kept);
  const keys = await readKeys(stage, Bucket);
  const Objects = keys.filter((key) => !served.includes(folderOf(key))).map((Key) => ({ Key }));
  if (Objects.length > 0) await connect("S3", stage.region).deleteObjects({ Bucket, Delete: { Objects } });
}

export async function readArchived({ region }: Stage, Bucket: string, folder: string): Promise<Template> {
  const { Body } = await connect("S3", region).getObject({ Bucket, Key: `${folder}/template.json` });
  return JSON.parse(await Body.transformToString());
}

async function readFolders(stage: Stage, bucket: string): Promise<string[]> {
  return [...new Set((await readKeys(stage, bucket)).map(folderOf))].sort();
}

async function readKeys({ region }: Stage, Bucket: string): Promise<string[]> {
  const { Contents = [] } = await connect("S3", region).listObjectsV2({ Bucket, Prefix: prefix });
  return Contents.map(({ Key }) => Key);
}

const folderOf = (key: string) => key.slice(0, key.lastIndexOf("/"));

/** The address of a deployment's template, in the form that the policy of on-call demands. */
export function templateUrl({ region }: Stage, bucket: string, folder: string): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return `https://${host}/${bucket}/${folder}/template.json`;
}

/** "abc1234, deployed 2026-11-27 02:00 UTC" */
export function describeDeployment(folder: string): string {
  const [, year, month, day, hour, minute, commit] =
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)\d\dZ-(.+)-\w+$/.exec(folder) ?? [];
  return `${commit}, deployed ${year}-${month}-${day} ${hour}:${minute} UTC`;
}
