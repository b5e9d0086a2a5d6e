/** Sends a draft, or a dry run of it. */
import type * as z from "zod/mini";
import type { environmentPreviewSchema } from "../../../../lib/contract/responses/features.ts";
import type { missingPermissionSchema } from "../../../../lib/contract/responses/members.ts";
import { isApplied } from "../../api/error-codes.ts";
import { codeOf, type Exchanged, exchange, type Failure } from "../requests/exchange.ts";
import { bodyOf, type Draft, headersOf, methodOf, pathNamesOf } from "./draft.ts";
import { jsonError } from "./patch.ts";

/** What the draft would do in one environment. */
export type EnvironmentPreview = Omit<z.infer<typeof environmentPreviewSchema>, "variants">;

/** The body of a dry run. */
interface PreviewBody {
  environments: EnvironmentPreview[];
  missingPermissions: z.infer<typeof missingPermissionSchema>[];
}

export interface Preview extends PreviewBody {
  kind: "preview";
  /** The ETag of what was previewed. */
  etag: string;
}

/** A write that succeeded. */
interface Written {
  kind: "written";
  /** The ETag of what was written, or "" if the response does not say. */
  etag: string;
  change: string;
  hint: string;
}

export type DryRunReply = Preview | Failure;
export type WriteReply = Written | Failure;

export async function previewDraft(draft: Draft, key: string): Promise<DryRunReply> {
  const reply = await exchangeDraft(draft, key, "*", { dryRun: "true" });
  if (reply.kind !== "response") return reply;
  const { environments = [], missingPermissions = [] }: Partial<PreviewBody> = Object(reply.json);
  return { kind: "preview", environments, missingPermissions, etag: headerOf(reply, "etag") };
}

/** Writes only over the state that has this ETag. */
export async function sendDraft(draft: Draft, key: string, etag: string): Promise<WriteReply> {
  const reply = await exchangeDraft(draft, key, etag);
  if (reply.kind === "error response" && isApplied(codeOf(reply)))
    return { kind: "written", etag: "", change: changeOf(reply), hint: reply.error };
  if (reply.kind !== "response") return reply;
  return {
    kind: "written",
    etag: headerOf(reply, "etag"),
    change: headerOf(reply, "burgee-change"),
    hint: headerOf(reply, "burgee-hint"),
  };
}

/** The id of the change that the request has written, even if the request failed halfway; otherwise "". */
export function changeOf(reply: WriteReply): string {
  if (reply.kind === "written") return reply.change;
  return reply.kind === "error response" ? (reply.headers.get("burgee-change") ?? "") : "";
}

const headerOf = ({ response }: { response: Response }, name: string) => response.headers.get(name) ?? "";

async function exchangeDraft(
  draft: Draft,
  key: string,
  ifMatch: string,
  query: Record<string, string> = {},
): Promise<Exchanged> {
  // The server would not say where the text stops being JSON.
  const error = draft.undo ? "" : jsonError(draft.text);
  if (error) return { kind: "invalid request", error };
  const reply = await exchange({ names: pathNamesOf(draft), query }, key, {
    method: methodOf(draft),
    headers: headersOf(draft, ifMatch),
    redirect: "error",
    body: bodyOf(draft),
  });
  if (reply.kind !== "response" || headerOf(reply, "etag") !== "") return reply;
  // Without an ETag, a write would have no precondition.
  return {
    kind: "no response",
    error: "This page could not see changes since its preview: the response has no ETag",
  };
}
