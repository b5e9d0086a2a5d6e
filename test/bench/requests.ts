/** The state and the requests of the measurements. */
import type { State } from "../../infra/state/state.ts";
import { toEvent } from "../support/event.ts";
import { times } from "../support/patching.ts";
import { tag, variant } from "../support/seed.ts";

export const key = "burgee-key-of-the-bench";

export const features = times(25, (index) => `feature-${index}`);

/** Features, each in a project of the same name, and the key. */
export function stateWith(names: readonly string[] = ["checkout"]): State {
  const environmentNames = times(2, (index) => `environment-${index}`);
  const list = times(3, (index) => variant(`variant-${index}`, { weight: 333 }));
  return {
    projects: names.map((id) => ({ id, environments: environmentNames })),
    features: names.map((name) => ({
      name,
      project: name,
      tags: [tag("team-0")],
      environments: Object.fromEntries(environmentNames.map((each) => [each, { variants: list }])),
    })),
    apiKeys: [{ name: "bench", key, permissions: [{ permission: "ADMIN" }], disabled: false }],
  };
}

export const tagsOf = (feature: string) => `/api/admin/features/${feature}/tags`;

/** Of a feature in a project of the same name. */
export const patch = (feature: string, json: unknown) =>
  event("PATCH", `/api/admin/projects/${feature}/features/${feature}/variants`, json);

export const replaceStickiness = (value: string) => [{ op: "replace", path: "/0/stickiness", value }];

/** Each request changes something: "{n}" becomes a new value. */
export const requests = {
  tags: {
    status: 201,
    event: event("PUT", tagsOf("checkout"), { addedTags: [tag("team-0")], removedTags: [] }),
  },
  variants: { status: 200, event: patch("checkout", replaceStickiness("{n}")) },
};

function event(method: string, path: string, json: unknown) {
  const headers = { authorization: key, "content-type": "application/json" };
  const made = toEvent({ method, path, headers, body: JSON.stringify(json) });
  return { ...made, body: made.body ?? "" };
}
