/** Loads autocannon, which is fetched when it is first needed. */
import { createRequire } from "node:module";
import path from "node:path";
import { fetchPackages } from "../../../infra/build/fetch.mjs";

export interface Shot {
  method: "PUT" | "PATCH";
  path: string;
  body: string;
}

interface Options {
  url: string;
  connections: number;
  /** Seconds. */
  duration: number;
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

export type Autocannon = (options: Options) => Promise<Fired>;

export function loadAutocannon(): Autocannon {
  const modules = fetchPackages("autocannon", ["autocannon@8.0.0"]);
  return createRequire(import.meta.url)(path.join(modules, "autocannon"));
}
