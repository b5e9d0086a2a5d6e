/** Sends the requests that create, delete and restore features. */

import type { Deletion } from "../../../../lib/contract/responses/features.ts";
import { burgeeHeaders } from "../../api/headers.ts";
import { nameIssue } from "../../api/name-issue.ts";
import { namesInPath } from "../../api/path.ts";
import { type Loaded, load } from "./exchange.ts";
import type { FeaturePlace } from "./shown.ts";

export async function sendCreation(
  key: string,
  { project, feature }: FeaturePlace,
  idempotencyKey: string,
): Promise<Loaded<object>> {
  const issue = nameIssue(feature);
  if (issue) return { kind: "invalid request", error: `"${feature}" is not a name: it ${issue}` };
  return load<object>({ names: ["projects", project, "features"] }, key, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({ name: feature }),
  });
}

/** Deletes the feature only in the state that has this ETag. */
export async function sendDeletion(
  key: string,
  place: FeaturePlace,
  etag: string,
  reason: string,
): Promise<Loaded<Deletion>> {
  return load<Deletion>({ names: namesInPath(place) }, key, {
    method: "DELETE",
    headers: { "if-match": etag, ...burgeeHeaders({ reason: reason || undefined }) },
  });
}

export async function sendRestoration(
  key: string,
  place: FeaturePlace,
  idempotencyKey: string,
): Promise<Loaded<object>> {
  return load<object>({ names: namesInPath(place, "restore") }, key, {
    method: "POST",
    headers: { "idempotency-key": idempotencyKey },
  });
}
