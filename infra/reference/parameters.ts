/** Parameters of the document: those in paths, and one for each option of a route. */
import { limits } from "../../lib/contract/limits.ts";
import { readComments } from "./comments.ts";

const comments = {
  ...readComments("lib/http/options.ts"),
  ...readComments("lib/http/list-options.ts"),
  ...readComments("functions/feature.ts"),
  ...readComments("functions/changes.ts"),
  ...readComments("functions/strategies.ts"),
  ...readComments("functions/guards.ts"),
};

const text = { type: "string" };
const ofPath = { in: "path", required: true, schema: { ...text, minLength: 1 } };
const ofHeader = { in: "header", schema: text };

/** Names in the demo's state. */
export const pathValues = {
  projectId: "default",
  featureName: "checkout",
  environment: "development",
  /** The change that the examples of changes begin with: its id follows from its idempotency key. */
  changeId: "PpHCg10IhMU",
  strategyId: "quarter",
  guard: "checkout-errors",
};

/** The reference page sends the examples along: the first click on an operation writes nothing. */
const facts = {
  ...Object.fromEntries(Object.entries(pathValues).map(([name, example]) => [name, { ...ofPath, example }])),
  dryRun: { in: "query", schema: { type: "boolean", default: false }, example: true },
  by: {
    in: "query",
    description: comments[".form"],
    schema: { ...text, enum: ["index", "name"], default: "index" },
  },
  limit: {
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: limits.listedFeatures, default: 100 },
  },
  after: { in: "query", schema: text },
  with: { in: "query", schema: { ...text, enum: ["environments"] } },
  prefer: { ...ofHeader, name: "Prefer", description: comments[".strict"] },
  "if-match": { ...ofHeader, name: "If-Match", description: comments[".ifMatch"] },
  "idempotency-key": {
    ...ofHeader,
    name: "Idempotency-Key",
    description: comments[".idempotencyKey"],
    schema: { ...text, minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
  },
  "burgee-reason": {
    ...ofHeader,
    name: "Burgee-Reason",
    description: comments[".reason"],
    example: "Twice as many users",
  },
  "burgee-guard": {
    ...ofHeader,
    name: "Burgee-Guard",
    description: comments[".underGuard"],
  },
  "burgee-most-moves": {
    ...ofHeader,
    name: "Burgee-Most-Moves",
    description: comments[".mostMoves"],
  },
  "if-none-match": {
    ...ofHeader,
    name: "If-None-Match",
    description: comments[".ifNoneMatch"],
  },
};

export const parameters = Object.fromEntries(
  Object.entries(facts).map(([name, fact]) => [name, { name, description: comments[`.${name}`], ...fact }]),
);
