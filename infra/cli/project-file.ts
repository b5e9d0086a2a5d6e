/** Locates the project's own files, independent of the working folder. */
import path from "node:path";

/** Two folders above this source, and above the built programs in dist/tools. */
const root = path.join(import.meta.dirname, "../..");

/** `name` is relative to the folder of serverless.yml; "" is that folder. */
export function projectFile(name: string): string {
  return path.join(root, name);
}
