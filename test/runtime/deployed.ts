/** A function as it is deployed, in a sandbox, on the table of a service in small. */
import path from "node:path";
import { readRoutes } from "../../infra/local/routes.ts";
import type { Burgee, Response } from "../support/burgee.ts";
import type { Outcome } from "./runtime-api.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

export function deploy(
  { wire, session }: Burgee,
  name: "tags" | "variants",
  settings: Record<string, string | undefined> = {},
): Promise<Sandbox> {
  const route = readRoutes().find((each) => each.function.name === name);
  return openSandbox({
    folder: path.resolve("."),
    handler: route?.function.handler ?? "",
    settings: {
      AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint,
      TABLE_NAME: session.table,
      KEY_CACHE_SECONDS: "30",
      ...settings,
    },
  });
}

/** What API Gateway would make of what the runtime posted. */
export function toResponse({ end, payload }: Outcome): Response {
  if (end !== "response") throw new Error(`no response was posted: ${end} ${JSON.stringify(payload)}`);
  const { statusCode, headers, body } = payload;
  return { status: statusCode, headers, json: JSON.parse(body) };
}

/** Every line that the function printed, all of which must be JSON. */
export const readLog = ({ lines }: Sandbox) => lines.map((line) => JSON.parse(line));
