/** Examples of variants and their patches, told of the feature `checkout` that `npm start` begins with. */
import type { Patch } from "../../../lib/contract/patch.ts";
import type { FeatureVariants, Variant } from "../../../lib/contract/variants.ts";
import type { Examples } from "../answers.ts";

/** A new one with each write, so this is one of many. */
export const etag = '"RalOL-DCObJHdGvp"';

export const requests: Examples<Patch> = {
  replace: {
    summary: "Change a field of the first variant",
    value: [{ op: "replace", path: "/0/stickiness", value: "userId" }],
  },
  add: {
    summary: "Add a variant",
    value: [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }],
  },
  nothing: { summary: "Change nothing", value: [] },
};

/** Those of its first environment. */
const blueAndGreen = listOf(variant("blue", 500), variant("green", 500));

export const stored: Examples<FeatureVariants> = {
  list: { summary: "The variants as they are", value: blueAndGreen },
};

export const patched: Examples<FeatureVariants> = {
  replace: {
    summary: "The first variant changed",
    value: listOf(variant("blue", 500, "userId"), variant("green", 500)),
  },
  add: {
    summary: "A variant added, the weights dealt anew",
    value: listOf(variant("blue", 334), variant("green", 333), variant("red", 333)),
  },
  nothing: { summary: "The variants as they were", value: blueAndGreen },
};

export function variant(name: string, weight: number, stickiness = "default"): Variant {
  return { name, weight, weightType: "variable", stickiness };
}

function listOf(...variants: Variant[]): FeatureVariants {
  return { version: 1, variants };
}
