/** Node 24, as Lambda's nodejs24.x has it, whatever Node runs the tests. */
import path from "node:path";
import { fetchPackage } from "./fetch-package.ts";

/** Its home has `bin/node`, and the headers that native packages are built with. */
export function fetchNode24(): { home: string; bin: string } {
  if (process.platform !== "linux") throw new Error("Lambda's runtime is tried on Linux only");
  const home = fetchPackage(`node-linux-${process.arch}`, "24.21.0");
  return { home, bin: path.join(home, "bin") };
}
