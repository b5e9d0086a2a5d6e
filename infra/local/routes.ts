/** Reads the routes that serverless.yml declares, in API Gateway's form. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { projectFile } from "../project-file.ts";

export interface DeclaredRoute {
  /** As in an event: "ANY /api/{name}". */
  routeKey: string;
  method: string;
  path: string;
  function: DeclaredFunction;
}

export interface DeclaredFunction {
  name: string;
  /** File and export: "dist/tags.handler". */
  handler: string;
  timeoutMs: number;
}

interface ServerlessFile {
  provider: { timeout: number };
  functions: Record<string, { handler: string; events: { httpApi: { method: string; path: string } }[] }>;
}

export function readRoutes(): DeclaredRoute[] {
  const { provider, functions }: ServerlessFile = parse(readFileSync(projectFile("serverless.yml"), "utf8"));
  return Object.entries(functions).flatMap(([name, { handler, events }]) =>
    events.map(({ httpApi: { method, path } }) => ({
      routeKey: `${method === "*" ? "ANY" : method} ${path}`,
      method,
      path,
      function: { name, handler, timeoutMs: provider.timeout * 1000 },
    })),
  );
}
