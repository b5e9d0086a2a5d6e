/** The operations whose calls are counted, and what they find stored. */
import { limits } from "../../../lib/contract/limits.ts";
import { getTags, getVariants, patch, putTags } from "../requests.ts";
import type { Name } from "./handler.ts";

export interface Case {
  operation: string;
  /** Describes the stored item. */
  item: string;
  size: object;
  handler: Name;
  /** Requests served before: so the key is cached, and environments have reached their final size. */
  before(feature: string): object[];
  request(feature: string): object;
  /** Whether it runs in a new sandbox. */
  isCold?: boolean;
}

type Other = Partial<Pick<Case, "request" | "before" | "isCold">>;

const addOne = { addedTags: [{ type: "simple", value: "new" }], removedTags: [] };
const change = by("userId");
const small = { variants: 3, environments: 2 };
const wide = { variants: 100, environments: 2 };
const large = { variants: 100, environments: 10 };

export const cases: Case[] = [
  ofTags("tag update, key not known", 1, { isCold: true }),
  ofTags("tag update", 1),
  ofTags("tag update", 20),
  ofTags("tag update", 1000),
  ofTags("reading tags", 1, { request: getTags }),
  ofTags("reading tags", 1000, { request: getTags }),
  ofVariants("variant patch, key not known", small, { isCold: true }),
  ofVariants("variant patch", small),
  ofVariants("variant patch", wide),
  ofVariants("variant patch", large),
  ofVariants("variant patch that changes nothing", small, { before: (name) => [patch(name, change)] }),
  ofVariants("patch of one environment", small, { request: patchOne }),
  ofVariants("patch of one environment", large, { request: patchOne }),
  ofVariants("reading variants", small, { request: (name) => getVariants(name) }),
  ofVariants("reading variants", large, { request: (name) => getVariants(name) }),
  ofVariants("reading one environment", large, { request: (name) => getVariants(name, "environment-0") }),
];

function ofTags(operation: string, tags: number, other: Other = {}): Case {
  return {
    operation,
    item: tags === 1 ? "1 tag" : `${tags} tags`,
    size: { tags },
    handler: "tags",
    before: (name) => [getTags(name)],
    request: (name) => putTags(name, addOne),
    ...other,
  };
}

function ofVariants(operation: string, size: typeof small, other: Other = {}): Case {
  return {
    operation,
    item: `${size.variants} variants, ${size.environments} environments`,
    size,
    handler: "variants",
    before: wear,
    request: (name) => patch(name, change),
    ...other,
  };
}

/** An environment remembers its last writes, so it reaches its final size only after these. */
function wear(feature: string): object[] {
  return Array.from({ length: limits.rememberedWrites }, (_, number) =>
    patch(feature, by(`attribute-${number}`)),
  );
}

function patchOne(feature: string): object {
  return patch(feature, change, "environment-0");
}

function by(stickiness: string) {
  return [{ op: "replace", path: "/0/stickiness", value: stickiness }];
}
