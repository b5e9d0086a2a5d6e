/** Defines the tools that propose: each shows what a change would do, and makes a link for a person who can make it. */
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Api, ApiRequest } from "../api/api.ts";
import { guardMinutes } from "../api/headers.ts";
import { linkTo, longestLink } from "../page/draft/proposal-link.ts";
import { type ChangeOptions, headersFor, type Place, pathTo, sendAboutPlace } from "./requests.ts";
import { omitEnvironments, toResult } from "./results.ts";
import { toTool } from "./tool.ts";
import * as schemas from "./tool-schemas.ts";

interface Proposed {
  place: Place;
  edit: { patch: string } | { switch: "on" | "off" };
  options: ChangeOptions;
}

export function addPreviewTools(server: McpServer, api: Api, page: string): void {
  const patchText =
    "Shows what a JSON Patch would do in each environment, to how many users first, and makes a link to it.";
  const patchTool = toTool(patchText, schemas.proposal, schemas.previewResult);
  server.registerTool("preview_patch", patchTool, async ({ patch, reason, guard, minutes, ...place }) => {
    const request = { method: "PATCH", path: pathTo(place, [], dryRun), body: patch } as const;
    return preview(request, {
      place,
      options: { reason, guard, minutes },
      edit: { patch: JSON.stringify(patch) },
    });
  });

  const switchText =
    "Shows where a feature would be turned on or off, for how many users first, and makes a link to do it.";
  const switchTool = toTool(switchText, schemas.switchProposal, schemas.previewResult);
  server.registerTool("preview_switch", switchTool, async ({ to, reason, guard, minutes, ...place }) =>
    preview(
      { method: "POST", path: pathTo(place, [to], dryRun) },
      { place, options: { reason, guard, minutes }, edit: { switch: to } },
    ),
  );

  const undoText =
    "Shows what undoing a change would do in each environment; a person can undo it on the page.";
  const undoTool = toTool(undoText, schemas.undo, schemas.previewResult);
  server.registerTool("preview_undo", undoTool, async ({ change, ...place }) => {
    const path = pathTo(place, ["variants", "changes", change, "undo"], dryRun);
    const shown = z.parse(schemas.previewResult, await sendAboutPlace(api, { method: "POST", path }));
    return toResult(omitEnvironments(shown, [shown]));
  });

  async function preview(request: ApiRequest, { place, edit, options }: Proposed) {
    const headers = headersFor(options);
    const shown = z.parse(schemas.previewResult, await sendAboutPlace(api, { ...request, headers }));
    const { reason, guard, minutes } = options;
    const guarded = guard === undefined ? {} : { guard, minutes: String(minutes ?? guardMinutes.usual) };
    const link = linkOrNone({ ...place, ...edit, reason, ...guarded, etag: shown.etag }, shown);
    return toResult(omitEnvironments(Object.assign(shown, link), [shown]));
  }

  function linkOrNone(
    proposal: Parameters<typeof linkTo>[1],
    { environments }: z.output<typeof schemas.previewResult>,
  ) {
    const failed = environments.find(({ outcome }) => outcome === "failed");
    if (failed) return { noLink: `The change would fail in ${failed.environment}.` };
    if (environments.every(({ outcome }) => outcome === "unchanged"))
      return { noLink: "It would change nothing." };
    const link = linkTo(page, proposal);
    return link === undefined ? { noLink: `It would be longer than ${longestLink} characters.` } : { link };
  }
}

const dryRun = { dryRun: "true" };
