/** Makes a sample event for each operation, with the features and the key of the demo's state. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { toEvent } from "./event.ts";
import { findRoute } from "./path.ts";
import { readRoutes } from "./routes.ts";

interface Sample {
  method: string;
  url: string;
  body?: unknown;
}

const tags = "/api/admin/features/checkout/tags";
const variants = "/api/admin/projects/default/features/checkout/variants";
const production = "/api/admin/projects/default/features/checkout/environments/production/variants";
const patch = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];

export const samples: Readonly<Record<string, Sample>> = {
  "get-tags": { method: "GET", url: tags },
  "put-tags": {
    method: "PUT",
    url: tags,
    body: { addedTags: [{ type: "simple", value: "team-b" }], removedTags: [] },
  },
  "get-variants": { method: "GET", url: variants },
  "patch-variants": { method: "PATCH", url: variants, body: patch },
  "get-environment-variants": { method: "GET", url: production },
  "patch-environment-variants": { method: "PATCH", url: production, body: patch },
};

export function sampleEvent({ method, url, body }: Sample): APIGatewayProxyEventV2 {
  const route = findRoute(readRoutes(), method, url);
  if (!route) throw new Error(`no route is declared for ${method} ${url}`);
  const headers = ["host", "api.example.com", "authorization", "burgee-demo-key-for-this-machine"];
  if (body !== undefined) headers.push("content-type", "application/json");
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  return toEvent({ method, url, rawHeaders: headers, body: bytes }, route);
}
