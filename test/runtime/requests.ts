/** Makes events as API Gateway does. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { PatchOperation } from "../../lib/contract/patch.ts";
import { adminKey } from "../support/burgee.ts";
import { toEvent } from "../support/event.ts";
import { tag } from "../support/seed.ts";

export function putTag(feature: string, value: string, authorization = adminKey): APIGatewayProxyEventV2 {
  return toEvent({
    method: "PUT",
    path: `/api/admin/features/${feature}/tags`,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ addedTags: [tag(value)], removedTags: [] }),
  });
}

export function patchVariants(
  feature: string,
  patch: readonly PatchOperation[],
  contentType = "application/json",
): APIGatewayProxyEventV2 {
  return toEvent({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants`,
    headers: { authorization: adminKey, "content-type": contentType },
    body: JSON.stringify(patch),
  });
}
