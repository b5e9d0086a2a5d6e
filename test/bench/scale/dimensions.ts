/** The dimensions that grow, how far, and the request whose cost is measured. */
import type { State } from "../../../infra/state/state.ts";
import type { Name } from "../calls/handler.ts";
import { patch, putTags, stateWith } from "../requests.ts";
import { limitOf } from "./limits.ts";

export interface Dimension {
  name: string;
  /** The measured request. */
  request: string;
  counts: readonly number[];
  /** Describes the limit. */
  limit: string;
  stateOf(count: number, feature: string): State;
  handler: Name;
  /** "{n}" in its body becomes a new value. */
  eventOf(count: number, feature: string): { body: string };
}

const change = [{ op: "replace", path: "/0/stickiness", value: "{n}" }];
const addTag = { addedTags: [{ type: "simple", value: "new" }], removedTags: [] };

export const dimensions: readonly Dimension[] = [
  {
    name: "variants",
    request: "patch of 2 environments",
    counts: [1, 50, 100, 200, 350, 500],
    limit: limitOf.variants,
    stateOf: (variants, name) => stateWith({ variants, name }),
    handler: "variants",
    eventOf: (_, feature) => patch(feature, change),
  },
  {
    name: "environments",
    request: "patch of all of them",
    counts: [1, 5, 10, 20, 35, 50],
    limit: limitOf.environments,
    stateOf: (environments, name) => stateWith({ environments, name }),
    handler: "variants",
    eventOf: (_, feature) => patch(feature, change),
  },
  {
    name: "tags",
    request: "tag update",
    counts: [0, 200, 500, 1000, 1500, 2000],
    limit: limitOf.tags,
    stateOf: (tags, name) => stateWith({ tags, name }),
    handler: "tags",
    eventOf: (_, feature) => putTags(feature, addTag),
  },
  {
    name: "operations",
    request: "patch of 2 environments of 100 variants",
    counts: [1, 100, 250, 500, 750, 1000],
    limit: limitOf.operations,
    stateOf: (_, name) => stateWith({ variants: 100, name }),
    handler: "variants",
    eventOf: (operations, feature) => patch(feature, [...others(operations), ...change]),
  },
  {
    name: "features in the table",
    request: "patch of 2 environments",
    counts: [10, 100, 1000, 10_000, 100_000],
    limit: limitOf.features,
    stateOf: (features, name) => withOthers(stateWith({ name }), features),
    handler: "variants",
    eventOf: (_, feature) => patch(feature, change),
  },
];

/** They always lead to the same list, so that each patch starts from the same state. */
function others(operations: number): unknown[] {
  return Array.from({ length: operations - 1 }, (_, index) => ({
    op: "replace",
    path: `/${index % 100}/weight`,
    value: index % 10,
  }));
}

/** Adds features without environments: one item each. */
function withOthers(state: State, count: number): State {
  const [project] = state.projects;
  const added = Array.from({ length: count - 1 }, (_, index) => ({
    name: `other-${count}-${index}`,
    project: project?.id ?? "",
    tags: [],
    environments: {},
  }));
  return { ...state, features: [...state.features, ...added] };
}
