/** Passes events that no HTTP client can cause to the handlers of the service that was opened last. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Response } from "./burgee.ts";
import { toContext } from "./event.ts";

const load = {
  tags: () => import("../../functions/tags.ts"),
  variants: () => import("../../functions/variants.ts"),
};

export type FunctionName = keyof typeof load;

export async function deliver(name: FunctionName, event: unknown): Promise<Response> {
  const { handler } = await load[name]();
  const { statusCode, headers, body } = await handler(event as APIGatewayProxyEventV2, toContext());
  return {
    status: statusCode ?? 0,
    headers: headers as Record<string, string>,
    json: body === undefined ? undefined : JSON.parse(body),
  };
}
