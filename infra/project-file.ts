/** Locates the project's own files, independent of the working folder and of the built file. */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = findRoot(path.dirname(fileURLToPath(import.meta.url)));

/** `name` is relative to the folder of serverless.yml; "" is that folder. */
export function projectFile(name: string): string {
  return path.join(root, name);
}

function findRoot(folder: string): string {
  if (existsSync(path.join(folder, "serverless.yml"))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder)
    throw new Error(`no folder above ${fileURLToPath(import.meta.url)} has serverless.yml`);
  return findRoot(parent);
}
