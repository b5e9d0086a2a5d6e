/** Both operations, as the load makes them: each request changes what the one before left. */
import type { Shot } from "./autocannon.ts";

export const operations = {
  "tag update": {
    method: "PUT",
    shot: (feature: string, number: number): Shot => ({
      path: `/api/admin/features/${feature}/tags`,
      body: tags(`team-${number % 50}`, `team-${(number + 25) % 50}`),
    }),
  },
  "variant patch": {
    method: "PATCH",
    shot: (feature: string, number: number): Shot => ({
      path: `/api/admin/projects/${feature}/features/${feature}/variants`,
      body: JSON.stringify([{ op: "replace", path: "/0/stickiness", value: `by-${number}` }]),
    }),
  },
} as const;

export type Operation = keyof typeof operations;

function tags(added: string, removed: string): string {
  return JSON.stringify({
    addedTags: [{ type: "simple", value: added }],
    removedTags: [{ type: "simple", value: removed }],
  });
}
