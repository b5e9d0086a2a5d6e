/** The function `tags`: routes that read and update the tags of a feature. */
import type { Tags } from "../lib/contract/responses/features.ts";
import { type UpdateTags, updateTagsSchema } from "../lib/contract/tags.ts";
import type { TagStore } from "../lib/features/stores.ts";
import { listTags, previewTags, type TagsResult, updateTags } from "../lib/features/tags/update-tags.ts";
import { createHandler, type OpenHandler } from "../lib/http/handler.ts";
import { type OptionNameOf, optionNamesOf } from "../lib/http/options.ts";
import { fillPath, type RouteRequest, route } from "../lib/http/route.ts";
import { prepareInvocations } from "../lib/service.ts";
import { createTagStore } from "../lib/store/tag-store.ts";

interface TagsParameters {
  featureName: string;
}

const tagsPath = "/api/admin/features/{featureName}/tags";

const listTagsRoute = route({
  method: "GET",
  path: tagsPath,
  permission: "any reader",
  async run({ parameters: { featureName }, store, caller }: RouteRequest<TagStore, TagsParameters, unknown>) {
    return { status: 200, ...toTagsAnswer(await listTags(store, featureName, caller)) };
  },
});

const updateTagsRoute = route({
  method: "PUT",
  path: tagsPath,
  permission: "UPDATE_FEATURE",
  options: optionNamesOf("tag update"),
  body: { accepts: ["application/json"], schema: updateTagsSchema },
  async run({
    parameters: { featureName: feature },
    body: update,
    options,
    store,
    clock,
    caller,
    stamp,
  }: RouteRequest<TagStore, TagsParameters, UpdateTags, OptionNameOf<"tag update">>) {
    const { dryRun, prefersStrict, ifMatch, ifNoneMatch, ...others } = options;
    // Does not compile if an option is left over.
    others satisfies Record<string, never>;
    const preconditions = { ifMatch, ifNoneMatch };
    const request = { feature, update, caller, preconditions, stamp };
    if (dryRun) {
      const { missingPermissions, ...list } = await previewTags(store, request, { prefersStrict });
      const { etag, body } = toTagsAnswer(list);
      return { status: 200, etag, body: { ...body, missingPermissions } };
    }
    const { writeId, ...list } = await updateTags(store, clock, request);
    const location = fillPath(tagsPath, { featureName: feature });
    return { status: 201, headers: { location }, ...toTagsAnswer(list), writeId };
  },
});

function toTagsAnswer({ tags, etag }: TagsResult) {
  return { etag, body: { version: 1, tags } satisfies Tags };
}

export const routes = {
  /** List the tags of a feature. */
  listTags: listTagsRoute,

  /**
   * Add and remove several tags of a feature.
   *
   * Adds all of `addedTags`, then removes all of `removedTags`, in one atomic write. No concurrent update is lost. An
   * update that changes nothing is not written. All tags of a feature may take {@link limits.tagsBytes}. A retry needs
   * no idempotency key: it has the same effect, unless another update was stored in between.
   */
  updateTags: updateTagsRoute,
};

export const open: OpenHandler = (settings, options) =>
  createHandler(prepareInvocations(createTagStore, settings, options), Object.values(routes));
