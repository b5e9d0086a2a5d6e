/** Defines the tools that change features, in the environments that the operator has listed and nowhere else. */
import { randomUUID } from "node:crypto";
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Api, ApiRequest } from "../api/api.ts";
import { type ChangeOptions, headersFor, notice, type Place, pathTo, sendRequest } from "./requests.ts";
import { toResult } from "./results.ts";
import { toTool } from "./tool.ts";
import * as schemas from "./tool-schemas.ts";

export interface WriteOptions {
  /** The environments in which tools may write. */
  write: readonly string[];
  /** The largest share of users for whom a change may make a difference. */
  mostMoves?: string | undefined;
}

interface Written extends Place, ChangeOptions {
  environment: string;
  reason: string;
}

export function addWriteTools(server: McpServer, api: Api, { write, mostMoves }: WriteOptions): void {
  const place = z.extend(schemas.place, {
    environment: z.enum(write).check(z.describe(`One of ${write.join(", ")}: elsewhere propose a link.`)),
    reason: schemas.requiredReason,
  });
  const annotations = { readOnlyHint: false, destructiveHint: true };
  const toWriteTool = <In extends z.ZodMiniType>(text: string, input: In) =>
    toTool(`${text} Writes, in ${write.join(", ")} alone.`, input, schemas.written, annotations);

  const switchInput = z.extend(place, { ...schemas.guarded, to: schemas.switchProposal.shape.to });
  server.registerTool(
    "switch_feature",
    toWriteTool("Turns a feature on or off in an environment.", switchInput),
    async ({ to, ...written }) => change(written, { method: "POST", path: pathTo(written, [to]) }),
  );

  const patchInput = z.extend(place, { ...schemas.guarded, patch: schemas.proposal.shape.patch });
  server.registerTool(
    "patch_feature",
    toWriteTool("Applies a JSON Patch to a feature in an environment.", patchInput),
    async ({ patch, ...written }) => change(written, { method: "PATCH", path: pathTo(written), body: patch }),
  );

  const undoInput = z.extend(place, { change: schemas.undo.shape.change });
  server.registerTool(
    "undo_change",
    toWriteTool(
      "Undoes a change of a feature in an environment, and leaves the others as they are.",
      undoInput,
    ),
    async ({ change: id, ...written }) =>
      change(written, { method: "POST", path: pathTo(written, ["variants", "changes", id, "undo"]) }),
  );

  async function change(written: Written, request: ApiRequest) {
    const { environment } = written;
    // The schema says so too; but this is what the operator relies on.
    if (!write.includes(environment)) throw new Error(`This server does not write in "${environment}".`);
    const { headers, body } = await sendRequest(api, {
      ...request,
      headers: {
        ...headersFor(written, mostMoves),
        prefer: "handling=strict",
        "idempotency-key": randomUUID(),
      },
    });
    const id = headers["burgee-change"];
    // A success has a hint, and a write whose response is missing has the reason for that.
    const { message }: { message?: string } = body;
    const hint = headers["burgee-hint"] ?? message;
    return toResult({
      notice,
      environment,
      outcome: id === undefined ? "unchanged" : "patched",
      moves: shareIn(headers["burgee-moves"]),
      ...(id !== undefined && { change: id }),
      ...(hint !== undefined && { hint }),
    });
  }
}

/** Reads the header `burgee-moves`, which has one environment here. */
function shareIn(header: string | undefined): number | null {
  const share = Number(header?.split("=").at(-1));
  return header === undefined || Number.isNaN(share) ? null : share;
}
