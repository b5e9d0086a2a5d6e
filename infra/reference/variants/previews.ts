/** Examples of dry runs: what the same patches would do. */
import type { EnvironmentPreview, Preview } from "../../../lib/contract/preview.ts";
import type { Examples } from "../answers.ts";
import { variant } from "./examples.ts";
import { outOfRange } from "./refusals.ts";

const inDevelopment: EnvironmentPreview = {
  environment: "development",
  outcome: "patched",
  variants: [variant("blue", 334), variant("green", 333), variant("red", 333)],
  changes: [
    { op: "replace", path: "/0/weight", value: 334 },
    { op: "replace", path: "/1/weight", value: 333 },
    { op: "add", path: "/2", value: variant("red", 333) },
  ],
};

const inProduction: EnvironmentPreview = {
  environment: "production",
  outcome: "patched",
  variants: [variant("blue", 500), variant("red", 500)],
  changes: [
    { op: "replace", path: "/0/weight", value: 500 },
    { op: "add", path: "/1", value: variant("red", 500) },
  ],
};

const stopping: EnvironmentPreview[] = [
  {
    environment: "development",
    outcome: "patched",
    variants: [variant("blue", 500), variant("green", 500, "userId")],
    changes: [{ op: "replace", path: "/1/stickiness", value: "userId" }],
  },
  { environment: "production", outcome: "failed", variants: [variant("blue", 1000)], message: outOfRange(1) },
];

export const inOneEnvironment: Examples<Preview> = {
  dryRun: { summary: "Dry run: a variant would be added", value: previewOf(inDevelopment) },
};

export const inEveryEnvironment: Examples<Preview> = {
  dryRun: {
    summary: "Dry run: a variant would be added in each environment",
    value: previewOf(inDevelopment, inProduction),
  },
  dryRunStopped: { summary: "Dry run: it would stop halfway", value: previewOf(...stopping) },
};

function previewOf(...environments: EnvironmentPreview[]): Preview {
  return { version: 1, variants: environments[0]?.variants ?? [], environments };
}
