/** Makes an event for each operation from the first example of the OpenAPI document, which uses the demo's state. */
import { readFileSync } from "node:fs";
import { projectFile } from "../cli/project-file.ts";
import { toEvent } from "./event.ts";
import { type DeclaredRoute, declaredRoutes } from "./routes.ts";

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

export function readSampleEvents(): ReadonlyMap<string, unknown> {
  const { paths, components } = JSON.parse(readFileSync(projectFile("infra/reference/openapi.json"), "utf8"));
  const authorization = ["authorization", "burgee-demo-key-for-this-machine"];
  const rawHeaders = ["host", "api.example.com", ...authorization, "content-type", "application/json"];
  const samples = declaredRoutes.flatMap((route) =>
    operationsOf(route, paths).map(([method, { operationId, requestBody }]) => {
      const url = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => components.parameters[name].example);
      const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
      const body = Buffer.from(JSON.stringify(example?.value) ?? "");
      return [operationId, toEvent({ method: method.toUpperCase(), url, rawHeaders, body }, route)] as const;
    }),
  );
  return new Map(samples);
}

/** Two functions may share a path, so a route has the operations of its own method, or all of them. */
function operationsOf(
  { method, path }: DeclaredRoute,
  paths: Record<string, Record<string, Operation>>,
): [method: string, operation: Operation][] {
  const all = Object.entries(paths[path] ?? {});
  return all.filter(([one]) => ["*", one.toUpperCase()].includes(method));
}
