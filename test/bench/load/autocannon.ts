/** autocannon, fetched when it is asked for. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const wanted = "autocannon@8.0.0";
const folder = path.resolve(".cache/autocannon");

export interface Shot {
  path: string;
  body: string;
}

interface Options {
  url: string;
  connections: number;
  /** Seconds. */
  duration: number;
  method: "PUT" | "PATCH";
  headers: Record<string, string>;
  requests: { setupRequest: (request: object) => object }[];
}

export interface Fired {
  requests: { average: number; total: number };
  latency: { p50: number; p99: number };
  errors: number;
  timeouts: number;
  statusCodeStats: Record<string, { count: number }>;
}

export async function loadAutocannon(): Promise<(options: Options) => Promise<Fired>> {
  const module = path.join(folder, "node_modules/autocannon");
  if (!existsSync(module)) {
    const install = ["install", "--prefix", folder, "--no-save", "--ignore-scripts", wanted];
    execFileSync("npm", install, { stdio: "inherit" });
  }
  return createRequire(import.meta.url)(module);
}
