/** Reads AWS's schemas of resources, which come with cfn-lint. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fetchPython } from "../../infra/build/fetch.mjs";

interface Schema {
  typeName: string;
  handlers?: Record<string, { permissions?: string[] }>;
  /** Pointers: "/properties/Name". */
  createOnlyProperties?: string[];
}

export function readSchemas(): Schema[] {
  const lib = path.join(fetchPython("cfn-lint", "test/deploy/requirements.txt"), "../lib");
  return readdirSync(lib, { recursive: true, encoding: "utf8" })
    .filter((name) => /\/cfnlint\/data\/schemas\/resources\/.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(path.join(lib, name), "utf8")));
}
