/** The state and the requests of the measurements. */
import type { State } from "../../infra/state/state-file-schemas.ts";
import type { Strategy } from "../../lib/contract/strategies.ts";
import { toEvent } from "../support/event.ts";
import { times } from "../support/patching.ts";

export const key = "burgee-key-of-the-bench";

/** Features, each in a project of the same name, and the key. */
export function stateWith({
  names = ["checkout"],
  variants = 3,
  environments = 2,
  tags = 1,
  strategies = [] as Strategy[],
} = {}): State {
  const environmentNames = times(environments, (index) => `environment-${index}`);
  const list = times(variants, (index) => ({
    name: `variant-${index}`,
    weight: Math.floor(1000 / variants),
    weightType: "variable" as const,
    stickiness: "default",
  }));
  return {
    projects: names.map((id) => ({ id, environments: environmentNames })),
    features: names.map((name) => ({
      name,
      project: name,
      tags: times(tags, (index) => ({ type: "simple", value: `team-${index}` })),
      environments: Object.fromEntries(
        environmentNames.map((each) => [
          each,
          { variants: list, strategies, dependencies: [], targeting: null },
        ]),
      ),
    })),
    apiKeys: [{ name: "bench", key, permissions: [{ permission: "ADMIN" }], disabled: false }],
  };
}

export const tagsOf = (feature: string) => `/api/admin/features/${feature}/tags`;

/** The path of a feature in a project of the same name: all of its environments, or one. */
export const variantsOf = (feature: string, environment?: string) =>
  `/api/admin/projects/${feature}/features/${feature}${environment ? `/environments/${environment}` : ""}/variants`;

export const patch = (feature: string, json: unknown, environment?: string) =>
  event("PATCH", variantsOf(feature, environment), json);

export const replaceStickiness = (value: string) => [{ op: "replace", path: "/0/stickiness", value }];

/** Each request changes something: "{n}" becomes a new value. */
export const requests = {
  tags: {
    status: 201,
    event: event("PUT", tagsOf("checkout"), {
      addedTags: [{ type: "simple", value: "team-0" }],
      removedTags: [],
    }),
  },
  variants: { status: 200, event: patch("checkout", replaceStickiness("{n}")) },
};

export function event(method: string, path: string, json?: unknown) {
  const type = json === undefined ? undefined : { "content-type": "application/json" };
  const made = toEvent({
    method,
    path,
    headers: { authorization: key, ...type },
    body: JSON.stringify(json),
  });
  return { ...made, body: made.body ?? "" };
}
