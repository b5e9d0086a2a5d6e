/** The state and the requests of the measurements. */
import type { State } from "../../infra/state/state.ts";
import { toEvent } from "../support/event.ts";

export const key = "burgee-key-of-the-bench";

const variant = (index: number) => ({ name: `variant-${index}`, weight: 0, weightType: "variable" as const });

const rich = {
  payload: { type: "json", value: JSON.stringify({ color: "blue", text: "x".repeat(100) }) },
  overrides: [{ contextName: "userId", values: ["anna", "bert", "carl"] }],
};

export const stateWith = ({
  variants = 3,
  environments = 2,
  tags = 1,
  name = "checkout",
  isRich = false,
} = {}): State => {
  const names = Array.from({ length: environments }, (_, index) => `environment-${index}`);
  const list = Array.from({ length: variants }, (_, index) => ({
    ...variant(index),
    stickiness: "default",
    ...(isRich && rich),
  }));
  const settled = list.map((each) => ({ ...each, weight: Math.floor(1000 / list.length) }));
  return {
    projects: [{ id: name, environments: names }],
    features: [
      {
        name,
        project: name,
        tags: Array.from({ length: tags }, (_, index) => ({ type: "simple", value: `team-${index}` })),
        environments: Object.fromEntries(names.map((environment) => [environment, { variants: settled }])),
      },
    ],
    apiKeys: [],
  };
};

export const apiKey: State = {
  projects: [],
  features: [],
  apiKeys: [{ name: "bench", key, permissions: [{ permission: "ADMIN" }], disabled: false }],
};

export const putTags = (feature: string, json: unknown) =>
  event("PUT", `/api/admin/features/${feature}/tags`, json);

export const getTags = (feature: string) => event("GET", `/api/admin/features/${feature}/tags`);

/** The path of a feature in a project of the same name: all of its environments, or one. */
export const variantsOf = (feature: string, environment?: string) =>
  `/api/admin/projects/${feature}/features/${feature}${environment ? `/environments/${environment}` : ""}/variants`;

export const getVariants = (feature: string, environment?: string) =>
  event("GET", variantsOf(feature, environment));

export const patch = (feature: string, json: unknown, environment?: string) =>
  event("PATCH", variantsOf(feature, environment), json);

/** Each request changes something: "{n}" becomes a new value. */
export const requests = {
  tags: {
    status: 201,
    event: putTags("checkout", { addedTags: [{ type: "simple", value: "team-0" }], removedTags: [] }),
  },
  variants: {
    status: 200,
    event: patch("checkout", [{ op: "replace", path: "/0/stickiness", value: "{n}" }]),
  },
};

function event(method: string, path: string, json?: unknown) {
  const type = json === undefined ? undefined : { "content-type": "application/json" };
  const made = toEvent({
    method,
    path,
    headers: { authorization: key, ...type },
    body: JSON.stringify(json),
  });
  return { ...made, body: made.body ?? "" };
}
