/** The operations on tags. */
import { limits } from "../../lib/contract/limits.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Operation } from "./operation.ts";

const teamA: Tag = { type: "simple", value: "team-a" };
const teamB: Tag = { type: "simple", value: "team-b" };

/** By the method and what follows the feature's name in the path. */
export const tags: Readonly<Record<string, Operation>> = {
  "GET /tags": {
    id: "listTags",
    summary: "List the tags of a feature",
    description: ["Requires any permission in the feature's project."],
    schemas: ["tagsSchema"],
    cases: { 200: { "Current tags": {} } },
  },
  "PUT /tags": {
    id: "updateTags",
    summary: "Add and remove several tags of a feature",
    description: [
      "Adds all of `addedTags`, then removes all of `removedTags`, in one atomic change. Concurrent updates are not lost. The request is idempotent: a retry has the same effect, so it needs no idempotency key.",
      "**Dry run.** With `dryRun=true` the request is validated and authorised as usual, and nothing is written. The response is 200 with the tags as they would be.",
      "**Preconditions.** With `If-Match`, the tags are changed only if their ETag is among those listed; if not, the response is 412.",
      `Each list has at most ${limits.tagsPerList} tags. All tags of a feature must fit in ${limits.itemBytes / 1024} KB.`,
      "Requires the permission `UPDATE_FEATURE` in the feature's project.",
    ],
    schemas: ["tagsSchema"],
    json: { addedTags: [teamB], removedTags: [teamA] },
    cases: {
      200: { "Dry run": { query: "dryRun=true" } },
      201: {
        "Add one tag, remove another": {},
        "Change nothing": { json: { addedTags: [], removedTags: [] } },
      },
      400: { "Invalid body": { json: { addedTags: [{ ...teamA, value: "b" }] } }, "Not JSON": { body: "{" } },
      409: {
        "Response of the database lost": {
          headers: { "if-match": '"0"' },
          failures: {
            operation: "UpdateItem",
            errors: ["ThrottlingException", "ConditionalCheckFailedException"],
          },
        },
      },
    },
  },
};
