import { type Tags, updateTagsSchema } from "../lib/contract/tags.ts";
import { updateTags } from "../lib/features/update-tags.ts";
import { route } from "../lib/http/route.ts";
import { serve } from "../lib/http/serve.ts";
import { createService } from "../lib/service.ts";

/** Adds and removes several tags of a feature in one request. */
const putTags = route({
  method: "PUT",
  path: "/api/admin/features/{featureName}/tags",
  permission: "UPDATE_FEATURE",
  accepts: ["application/json"],
  body: updateTagsSchema,
  async answer({ path: { featureName: feature }, body: update, features, caller, stamp }) {
    const tags = await updateTags(features, { feature, update, caller, stamp });
    return {
      status: 201,
      headers: { location: `/api/admin/features/${encodeURIComponent(feature)}/tags` },
      body: { version: 1, tags } satisfies Tags,
    };
  },
});

export const handler = serve(createService(), [putTags]);
