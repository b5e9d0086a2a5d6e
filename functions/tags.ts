import { type Tags, updateTagsSchema } from "../lib/contract/tags.ts";
import { readTags } from "../lib/features/read-tags.ts";
import { updateTags } from "../lib/features/update-tags.ts";
import { route } from "../lib/http/route.ts";
import { serve } from "../lib/http/serve.ts";
import { createService } from "../lib/service.ts";

const path = "/api/admin/features/{featureName}/tags";

const getTags = route({
  method: "GET",
  path,
  permission: "any",
  async answer({ path: { featureName: feature }, features, caller }) {
    const tags = await readTags(features, { feature, caller });
    return { status: 200, body: { version: 1, tags } satisfies Tags };
  },
});

/** Adds and removes several tags of a feature in one request. */
const putTags = route({
  method: "PUT",
  path,
  permission: "UPDATE_FEATURE",
  takes: ["dryRun"],
  body: { accepts: ["application/json"], schema: updateTagsSchema },
  async answer({ path: { featureName: feature }, body: update, asked, features, caller, stamp }) {
    const tags = await updateTags(features, { feature, update, caller, stamp });
    const body = { version: 1, tags } satisfies Tags;
    if (asked.dryRun) return { status: 200, body };
    const location = `/api/admin/features/${encodeURIComponent(feature)}/tags`;
    return { status: 201, headers: { location }, body };
  },
});

export const handler = serve(createService(), [getTags, putTags]);
