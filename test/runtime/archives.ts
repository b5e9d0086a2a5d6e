/** Makes and unpacks the archives that would be uploaded, and reads their settings from the template. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

export interface PackagedFunction {
  folder: string;
  /** The file and its export. */
  handler: string;
  memoryMb: number;
  timeoutMs: number;
  /** Environment variables; a value that only a deployment knows is not a string. */
  variables: Record<string, unknown>;
}

declare module "vitest" {
  interface ProvidedContext {
    functions: Record<"tags" | "variants", PackagedFunction>;
  }
}

export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, ["dist/tools/deploy.mjs", "package"], { stdio: "pipe" });
  const { Resources } = JSON.parse(
    readFileSync(".serverless/cloudformation-template-update-stack.json", "utf8"),
  );
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));

  function unpack(name: string, logicalId: string): PackagedFunction {
    const unpacked = path.join(folder, name);
    execFileSync("python3", ["-m", "zipfile", "-e", `.serverless/${name}.zip`, unpacked]);
    const { Handler, MemorySize, Timeout, Environment } = Resources[logicalId].Properties;
    return {
      folder: unpacked,
      handler: Handler,
      memoryMb: MemorySize,
      timeoutMs: Timeout * 1000,
      variables: Environment.Variables,
    };
  }

  project.provide("functions", {
    tags: unpack("tags", "TagsLambdaFunction"),
    variants: unpack("variants", "VariantsLambdaFunction"),
  });
  return () => rmSync(folder, { recursive: true });
}
