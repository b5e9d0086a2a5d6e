/** Runs a packaged function in a sandbox, on the table of a test service. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { inject } from "vitest";
import type { Burgee, Response } from "../support/burgee.ts";
import type { Outcome } from "./runtime-api.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

export function deploy(
  { wire, session }: Burgee,
  name: "tags" | "variants",
  settings: Record<string, string | undefined> = {},
): Promise<Sandbox> {
  const packaged = inject("functions")[name];
  const place = { AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint, TABLE_NAME: session.table };
  return openSandbox(packaged, { ...place, ...settings });
}

/** Converts what the runtime posted to API Gateway's response. */
export function toResponse({ end, payload }: Outcome): Response {
  if (end !== "response") throw new Error(`no response was posted: ${end} ${JSON.stringify(payload)}`);
  const { statusCode = 0, headers, body = "" } = payload as APIGatewayProxyStructuredResultV2;
  return { status: statusCode, headers: headers as Record<string, string>, json: JSON.parse(body) };
}

/** Every line that the function printed, all of which must be JSON. */
export const readLog = ({ lines }: Sandbox) => lines.map((line) => JSON.parse(line));
