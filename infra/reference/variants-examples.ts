/** Examples of the variant patch, told of the feature `checkout` that `npm start` begins with. */
import { ValidationError } from "../../lib/contract/errors.ts";
import type { Patch } from "../../lib/contract/patch.ts";
import type { FeatureVariants, Variant } from "../../lib/contract/variants.ts";
import type { Examples } from "./answers.ts";

export const requests: Examples<Patch> = {
  replace: {
    summary: "Change a field of the first variant",
    value: [{ op: "replace", path: "/0/stickiness", value: "userId" }],
  },
  add: {
    summary: "Add a variant",
    value: [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }],
  },
  nothing: { summary: "Change nothing: list the variants", value: [] },
};

export const answers: Examples<FeatureVariants> = {
  replace: {
    summary: "The first variant changed",
    value: listOf(variant("blue", 500, "userId"), variant("green", 500)),
  },
  add: {
    summary: "A variant added, the weights dealt anew",
    value: listOf(variant("blue", 334), variant("green", 333), variant("red", 333)),
  },
  nothing: {
    summary: "The variants as they were",
    value: listOf(variant("blue", 500), variant("green", 500)),
  },
};

const stopped = "operation 0 (replace /1/stickiness): index 1 is not in a list of 1";
const overtaken = "others changed it at every try, and the time is used up; nothing was written";

export const invalid = {
  "Stopped halfway": new ValidationError(`environment "production": ${stopped}`, {
    details: [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "failed", message: stopped },
    ],
  }),
  "Not as the schema has it": new ValidationError(
    "the body does not conform: /0/op must be one of add, remove, replace, copy, move (and 1 more)",
    {
      details: [
        { path: "/0/op", message: "must be one of add, remove, replace, copy, move" },
        { path: "/1/from", message: "is required" },
      ],
    },
  ),
};

export const conflict = {
  message: `environment "development": ${overtaken}`,
  details: [
    { environment: "development", outcome: "failed" as const, message: overtaken },
    { environment: "production", outcome: "not attempted" as const },
  ],
};

function listOf(...variants: Variant[]): FeatureVariants {
  return { version: 1, variants };
}

function variant(name: string, weight: number, stickiness = "default"): Variant {
  return { name, weight, weightType: "variable", stickiness };
}
