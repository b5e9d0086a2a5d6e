/** Fetches what these tests need beyond `npm ci`. */
import path from "node:path";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { fetchFramework } from "../../infra/deploy/framework.ts";

export const cfnLint = path.resolve(".cache/cfn-lint/bin/cfn-lint");

export default function fetchTools(): void {
  fetchFramework();
  fetchPython("cfn-lint", "test/deploy/requirements.txt");
}
