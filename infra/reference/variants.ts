/** The operations on variants. */
import { limits } from "../../lib/contract/limits.ts";
import type { Patch } from "../../lib/contract/patch.ts";
import { weightTotal } from "../../lib/contract/variants.ts";
import type { Failures } from "./failures.ts";
import type { Cases, Operation } from "./operation.ts";

const replace: Patch = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
/** Production has one variant only, `blue`. */
const replaceSecond: Patch = [{ op: "replace", path: "/1/stickiness", value: "userId" }];
const add: Patch = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];
const addByName: Patch = [{ op: "add", path: "/red", value: { weight: 0 } }];
const rename: Patch = [{ op: "move", from: "/blue", path: "/azure" }];
const removeByName: Patch = [{ op: "remove", path: "/green" }];
const invalid = [
  { op: "test", path: "/0/weight", value: 500 },
  { op: "move", path: "/0/stickiness" },
];

const strict = { query: "dryRun=true", headers: { prefer: "handling=strict" } };
const idempotent = { headers: { "idempotency-key": "b4e0a9b2" } };

/** From the write of this environment on. */
function conflictsFrom(place: number): Failures {
  return { operation: "UpdateItem", errors: [...Array(place), "ConditionalCheckFailedException"] };
}

const casesOfPatches: Cases = {
  200: {
    "Change a field of the first variant": { json: replace },
    "Add a variant": { json: add, headers: { "content-type": "application/json-patch+json" } },
    "Change nothing": { json: [] },
    "By name: add a variant": { json: addByName, query: "by=name" },
    "By name: dry run of a rename": { json: rename, query: "by=name&dryRun=true" },
    "Dry run": { json: add, query: "dryRun=true" },
    "Strict dry run": { json: add, ...strict },
  },
  400: {
    "Invalid body": { json: invalid },
    "Index out of range": { json: [{ op: "remove", path: "/2" }] },
    "By name: no such variant": { json: [{ op: "remove", path: "/red" }], query: "by=name" },
  },
  409: {
    "Write conflicts": { failures: conflictsFrom(0) },
    "Idempotency-Key used before": { before: { json: replace, ...idempotent }, json: add, ...idempotent },
  },
};

const casesOfReads: Cases = { 200: { "Current variants": {}, "By name": { query: "by=name" } } };

function read({ about, ...texts }: Pick<Operation, "id" | "summary"> & { about: string }): Operation {
  return {
    ...texts,
    description: [`${about} Requires any permission in the project.`],
    schemas: ["featureVariantsSchema", "featureVariantsByNameSchema"],
    cases: casesOfReads,
  };
}

interface PatchTexts extends Pick<Operation, "id" | "summary"> {
  about: readonly string[];
  etag: string;
  permissions: string;
}

function patch({ about, etag, permissions, ...texts }: PatchTexts): Operation {
  return {
    ...texts,
    description: [
      ...about,
      "**By index or by name.** The patch applies to the list of variants, sorted by name: an index is a place in that list. With `by=name` it applies to an object in which each variant is keyed by its name, so that it means the same in every environment; `move` from `/blue` to `/azure` renames a variant. The response has the same form.",
      `**Result.** At least one variant must be \`variable\`, and weights are normalised so that they sum to ${weightTotal}. An environment that the patch does not change is not written. A patch has at most ${limits.operations} operations, which may add, copy, move and replace ${limits.patchBytes / 1024 / 1024} MB in total; all variants of an environment must fit in ${limits.itemBytes / 1024} KB.`,
      "**Dry run.** With `dryRun=true` the request is validated and authorised as usual, and nothing is written. The response is 200 and lists what the patch would do in each environment, beyond the first failure; an empty patch shows the current variants. With `Prefer: handling=strict`, a patch that would fail has the status and the body of that failure instead, and a dry run that succeeds has `preference-applied`. The `etag` is that of the stored variants: send it as `If-Match` to apply the patch to what the dry run has seen.",
      `**Preconditions.** \`If-Match\` takes ${etag}. If it is no longer current, the response is 412 and nothing is written. \`*\` matches any state.`,
      "**Retries.** After a timeout, a lost connection or a failure halfway, retry the request with the same `Idempotency-Key`. Environments that it has patched are skipped and the others are patched; the response is that of one complete run. A key is remembered for at least 24 hours in every environment that the request changed. It is scoped to the name of the API key, so it survives rotation. The same key with another body, path or form is refused with 409. On a retry, `If-Match` is compared with the state before the request's own writes.",
      `Requires ${permissions}`,
    ],
    schemas: [
      ...(["featureVariantsSchema", "featureVariantsByNameSchema"] as const),
      ...(["variantsPreviewSchema", "variantsPreviewByNameSchema"] as const),
    ],
    json: replace,
    cases: casesOfPatches,
  };
}

const patchEverywhere = patch({
  id: "patchFeatureVariants",
  summary: "Patch the variants of a feature in every environment",
  about: [
    "Applies one JSON Patch (RFC 6902, without `test`) to the variants in every environment, one after the other, in the project's order. The response has those of the first.",
    "**The patch is not atomic over the environments.** The first failure stops it: environments before it stay patched, those after it are untouched, and `details` lists each as `patched`, `unchanged`, `failed` or `not attempted`. Within one environment it is atomic. To be safe, send a dry run first, its `etag` as `If-Match`, and an idempotency key.",
  ],
  etag: "the `etag` of the GET at this path, which covers all environments",
  permissions:
    "`UPDATE_FEATURE_VARIANTS` in the project and `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment of the feature. Both are checked before anything is written.",
});

const halfway: Cases = {
  200: { "Dry run: would stop in production": { json: replaceSecond, query: "dryRun=true" } },
  400: {
    "Stopped in production": { json: replaceSecond },
    "By name: stopped in production": { json: removeByName, query: "by=name" },
    "Strict dry run": { json: replaceSecond, ...strict },
  },
  403: {
    "No permission in an environment": {
      permissions: [
        { permission: "UPDATE_FEATURE_VARIANTS" },
        { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
      ],
    },
  },
  409: { "Write conflicts in production": { failures: conflictsFrom(1) } },
};

/** By the method and what follows the feature's name in the path. */
export const variants: Readonly<Record<string, Operation>> = {
  "GET /variants": read({
    id: "getFeatureVariants",
    summary: "Get the variants of a feature in its first environment",
    about:
      "Returns those of the first environment in the project's order; the `etag` covers all environments. To see all of them, send an empty patch as a dry run.",
  }),
  "PATCH /variants": { ...patchEverywhere, cases: merge(casesOfPatches, halfway) },
  "GET /environments/{environment}/variants": read({
    id: "getEnvironmentFeatureVariants",
    summary: "Get the variants of a feature in one environment",
    about: "The `etag` covers this environment alone.",
  }),
  "PATCH /environments/{environment}/variants": patch({
    id: "patchEnvironmentsFeatureVariants",
    summary: "Patch the variants of a feature in one environment",
    about: [
      "Applies a JSON Patch (RFC 6902, without `test`) to the variants of this environment, in one atomic change.",
    ],
    etag: "the `etag` of this environment",
    permissions: "`UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in the environment.",
  }),
};

function merge(cases: Cases, more: Cases): Cases {
  const merged = Object.entries(more).map(([status, byName]) => [
    status,
    { ...cases[Number(status)], ...byName },
  ]);
  return { ...cases, ...Object.fromEntries(merged) };
}
