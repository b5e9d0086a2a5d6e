/** Fetches Lambda's runtime client and its Node, and builds them once: half of the client is C++. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { fetchPackages } from "../../infra/build/fetch.mjs";
import { fetchNode24 } from "../support/node-24.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The Node, and the program that it runs. */
    runtimeClient: [node: string, program: string];
  }
}

export default function setup(project: TestProject): void {
  const { home, bin } = fetchNode24();
  const client = path.join(fetchPackages("aws-lambda-ric", ["aws-lambda-ric@4.0.2"]), "aws-lambda-ric");
  if (!existsSync(path.join(client, "rapid-client.node"))) build(client, home, bin);
  project.provide("runtimeClient", [path.join(bin, "node"), path.join(client, "index.mjs")]);
}

/** Uses the package's own scripts, with local headers: node-gyp would download them. */
function build(client: string, nodedir: string, bin: string): void {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: nodedir };
  for (const script of ["preinstall", "postinstall"]) {
    // The compilers' output is long, and shown only if they fail.
    const options = { cwd: client, env, maxBuffer: 64 * 1024 * 1024, stdio: "pipe" } as const;
    execFileSync("npm", ["run", "--silent", script], options);
  }
}
