/** What schemas and fields mean, in words. What they hold a value to is the schemas' own affair. */

import { forbiddenMembers } from "../../lib/contract/forbidden-members.ts";
import { limits } from "../../lib/contract/limits.ts";
import { weightTotal } from "../../lib/contract/variants.ts";

interface Prose {
  about: string;
  fields?: Readonly<Record<string, string>>;
}

const version = "The version of this shape: 1.";
const tag = {
  value: "The tag itself, counted in Unicode code points.",
  type: "The kind of tag, such as `simple`; any is accepted.",
};

export const prose: Readonly<Record<string, Prose>> = {
  updateTagsSchema: {
    about: "Tags to add, and tags to remove. Both lists are required; either may be empty.",
    fields: {
      addedTags: "Added first. A tag that the feature has already is left as it is.",
      removedTags:
        "Removed afterwards, so a tag in both lists ends up removed. One that is not there is no fault.",
    },
  },
  incomingTagSchema: {
    about: "A tag as a caller sends it.",
    fields: { ...tag, color: "Accepted, as newer Unleash versions list it, and dropped." },
  },
  tagSchema: { about: "A tag of a feature.", fields: tag },
  tagsSchema: {
    about: "The tags of a feature.",
    fields: { version, tags: "All tags that the feature now has, by type, then by value." },
  },
  patchesSchema: {
    about: "A JSON Patch (RFC 6902). Its paths are looked up in the list of variants of one environment.",
  },
  patchSchema: { about: "One operation of a JSON Patch. `test` is not supported." },
  operation: {
    about: "Members that the operation does not define are ignored (RFC 6902, section 4).",
    fields: {
      op: "The kind of operation.",
      path: `A JSON Pointer (RFC 6901) to what is operated on: \`/0\` is the first variant by name, \`/-\` the place after the last. It must not name ${[...forbiddenMembers].join(", ")}.`,
      from: "A JSON Pointer to what is copied or moved, under the same rules as `path`.",
      value: "What is put there. `null` counts as a value.",
    },
  },
  featureVariantsSchema: {
    about: "The variants of a feature in one environment.",
    fields: { version, variants: "Sorted by name; names are unique." },
  },
  variantSchema: {
    about: "One variant of a feature. In a patch, `weightType` and `stickiness` may be left out.",
    fields: {
      name: "URL-friendly and unique in its list.",
      weight: `Its share. Weights in a list always sum to ${weightTotal}: what the \`fix\` ones leave is dealt evenly over the \`variable\` ones.`,
      weightType: "Whether the weight stays as it was given (`fix`) or is dealt (`variable`).",
      stickiness: "The name of the context field that keeps a user on one variant.",
      payload:
        "Passed on to clients. Where `type` is `json`, `value` must be the text of a JSON object or list.",
      overrides: "Contexts that always get this variant.",
    },
  },
  overrideSchema: {
    about: "The values of a context field that always get the variant.",
    fields: { contextName: "The name of the context field.", values: "Its values." },
  },
  variantsPreviewSchema: {
    about: "What a dry run of a patch answers: what would be.",
    fields: {
      version,
      variants: "Those that the first environment would have.",
      environments: "Every environment that the request is about, in the project's order.",
    },
  },
  environmentPreviewSchema: {
    about: "What would become of one environment.",
    fields: {
      environment: "The name of the environment.",
      outcome: "`unchanged`: the patch would leave it as it is. `failed`: the patch would stop there.",
      variants: "Those that it would have; where the patch would fail, those that it has.",
      changes:
        "A JSON Patch from the variants that it has to those that it would have. It shows what dealing the weights and sorting make of them.",
      message: "Why it would fail.",
    },
  },
  variantChangeSchema: {
    about: "One operation of a JSON Patch, on the list as the operations before it leave it.",
    fields: {
      op: "The kind of operation.",
      path: "A JSON Pointer to what it changes.",
      from: "A JSON Pointer to what is moved.",
      value: "What is put there.",
    },
  },
  errorSchema: {
    about: "The body of every error.",
    fields: {
      id: "Of this one error. The log line of the request has it too.",
      name: "The kind of error. There is one for each status.",
      message: "What went wrong, for a person. Its words are not part of the contract.",
      details: `Every fault of the body (${limits.faults} at most), or every environment with its outcome.`,
    },
  },
  detailSchema: {
    about: "One fault, or what became of one environment.",
    fields: {
      path: "A JSON Pointer into the body of the request.",
      environment: "The name of the environment.",
      outcome:
        "`unchanged`: the patch left it as it was. `not attempted`: the request had stopped before it came to it.",
      message: "What is wrong there.",
    },
  },
};
