/** Examples of tag updates, told of the feature `checkout` that `npm start` begins with. */
import type { Tag, Tags, UpdateTags } from "../../../lib/contract/tags.ts";
import type { Examples } from "../answers.ts";

const teamA: Tag = { type: "simple", value: "team-a" };
const teamB: Tag = { type: "simple", value: "team-b" };

export const requests: Examples<UpdateTags> = {
  change: {
    summary: "Add one tag and remove another",
    value: { addedTags: [teamB], removedTags: [teamA] },
  },
  nothing: { summary: "Change nothing", value: { addedTags: [], removedTags: [] } },
};

export const stored: Examples<Tags> = {
  list: { summary: "The tags as they are", value: { version: 1, tags: [teamA] } },
};

export const changed: Examples<Tags> = {
  change: { summary: "One tag added, another removed", value: { version: 1, tags: [teamB] } },
  nothing: { summary: "The tags as they were", value: { version: 1, tags: [teamA] } },
};

export const rehearsed: Examples<Tags> = {
  dryRun: { summary: "The tags as they would be", value: { version: 1, tags: [teamB] } },
};
