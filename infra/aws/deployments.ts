/** The archives of a stage's deployments in the bucket, each in a folder: "deployments/20261127T020000Z-abc1234-1f2e3d4c". */
import { spawnSync } from "node:child_process";
import { connect } from "./aws.ts";
import type { Packaged, Template } from "./framework.ts";
import type { Stack, Stage } from "./stack.ts";

/** The folder of what was packaged; that of the stage, if nothing changed. */
export function folderFor({ digest }: Packaged, current = ""): string {
  if (current.endsWith(`-${digest}`)) return current;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  // "abc1234", or "abc1234-dirty" if files differ from it.
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    encoding: "utf8",
  });
  return `deployments/${time}-${stdout?.trim() || "unknown"}-${digest}`;
}

/** Stores the archives and the template, which names the deployment that served before. */
export async function upload(
  { region }: Stage,
  { Bucket, folder, before }: { Bucket: string; folder: string; before: string | undefined },
  { template, archives }: Packaged,
) {
  const s3 = connect("S3", region);
  const named = JSON.stringify({ ...template, Metadata: { Before: before } });
  const files = Object.entries({ ...archives, "template.json": named });
  await Promise.all(files.map(([name, Body]) => s3.putObject({ Bucket, Key: `${folder}/${name}`, Body })));
}

export async function readArchived({ region }: Stage, Bucket: string, folder: string): Promise<Template> {
  const { Body } = await connect("S3", region).getObject({ Bucket, Key: `${folder}/template.json` });
  return JSON.parse((await Body?.transformToString()) ?? "");
}

/** Reads the package that a stage runs, so that deploying it changes settings alone. */
export async function readDeployed(stage: Stage, { parameters }: Stack): Promise<Packaged> {
  const { Archives = "", Bucket = "" } = parameters;
  const template = await readArchived(stage, Bucket, Archives);
  return { template, archives: {}, digest: Archives.slice(Archives.lastIndexOf("-") + 1) };
}

/** The address of a deployment's template. */
export function templateUrl({ region }: Stage, Bucket: string, folder: string): string {
  const { endpointProvider } = connect("S3", region).config;
  const { url } = endpointProvider({ Region: region, Bucket, ForcePathStyle: true });
  return `${url}/${folder}/template.json`;
}
