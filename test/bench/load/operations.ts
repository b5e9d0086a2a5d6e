/** Makes the requests of the load: each one changes what the previous one left. */
import type { Shot } from "./autocannon.ts";

type Aim = (project: string, feature: string, number: number) => Shot;

const tagUpdate: Aim = (_, feature, number) => ({
  method: "PUT",
  path: `/api/admin/features/${feature}/tags`,
  body: JSON.stringify({
    addedTags: [{ type: "simple", value: `team-${number % 50}` }],
    removedTags: [{ type: "simple", value: `team-${(number + 25) % 50}` }],
  }),
});

const variantPatch: Aim = (project, feature, number) => ({
  method: "PATCH",
  path: `/api/admin/projects/${project}/features/${feature}/variants`,
  body: JSON.stringify([{ op: "replace", path: "/0/stickiness", value: `by-${number}` }]),
});

export const operations = {
  "tag update": tagUpdate,
  "variant patch": variantPatch,
  "one or the other": (...of) => (of[2] % 2 === 0 ? tagUpdate : variantPatch)(...of),
} satisfies Record<string, Aim>;

export type Operation = keyof typeof operations;
