/** Locates the project's own files, independent of the working folder. */
import { existsSync } from "node:fs";
import path from "node:path";

/** Above this source, and above the folder of built programs in dist. */
const above = ["..", "../.."].map((folder) => path.join(import.meta.dirname, folder));
const root = above.find((folder) => existsSync(path.join(folder, "serverless.yml"))) ?? "";

/** `name` is relative to the folder of serverless.yml; "" is that folder. */
export function projectFile(name: string): string {
  return path.join(root, name);
}
