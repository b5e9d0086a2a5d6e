/** The operations whose calls are counted, and what they find stored. */
import { limits } from "../../../lib/contract/limits.ts";
import { event, patch, replaceStickiness, tagsOf, variantsOf } from "../requests.ts";
import type { Name } from "../sandbox/start.ts";

type Request = (feature: string) => object;

export interface Case {
  operation: string;
  handler: Name;
  stored: { tags?: number; variants?: number; environments?: number };
  request: Request;
  /** Served before: so the key is cached, and environments have reached their final size. */
  before: readonly Request[];
  /** Whether it runs in a new sandbox. */
  isCold?: boolean;
}

const small = { variants: 3, environments: 2 };
const large = { variants: 100, environments: 10 };
const addTag: Request = (name) =>
  event("PUT", tagsOf(name), { addedTags: [{ type: "simple", value: "new" }], removedTags: [] });
const readTags: Request = (name) => event("GET", tagsOf(name));
const patchAll: Request = (name) => patch(name, replaceStickiness("userId"));
const patchOne: Request = (name) => patch(name, replaceStickiness("userId"), "environment-0");
const readVariants: Request = (name) => event("GET", variantsOf(name));
const readOne: Request = (name) => event("GET", variantsOf(name, "environment-0"));

/** An environment remembers its last writes, so it reaches its final size only after these. */
const wear = Array.from({ length: limits.listedChanges + 1 }, (_, number): Request => {
  return (name) => patch(name, replaceStickiness(`attribute-${number}`));
});

const tags = { handler: "tags", before: [readTags] } as const;
const variants = { handler: "variants", before: wear } as const;

export const cases: Case[] = [
  { ...tags, operation: "tag update, key not known", stored: { tags: 1 }, request: addTag, isCold: true },
  { ...tags, operation: "tag update", stored: { tags: 1 }, request: addTag },
  { ...tags, operation: "tag update", stored: { tags: 1000 }, request: addTag },
  { ...tags, operation: "reading tags", stored: { tags: 1000 }, request: readTags },
  { ...variants, operation: "variant patch, key not known", stored: small, request: patchAll, isCold: true },
  { ...variants, operation: "variant patch", stored: small, request: patchAll },
  { ...variants, operation: "variant patch", stored: large, request: patchAll },
  {
    ...variants,
    operation: "variant patch that changes nothing",
    stored: small,
    request: patchAll,
    before: [patchAll],
  },
  { ...variants, operation: "patch of one environment", stored: large, request: patchOne },
  { ...variants, operation: "reading variants", stored: large, request: readVariants },
  { ...variants, operation: "reading one environment", stored: large, request: readOne },
];
