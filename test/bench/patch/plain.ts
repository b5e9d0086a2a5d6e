/**
 * Applies a patch in the usual way, for comparison: Zod's classic schemas, and the library with its own validation. It
 * accepts invalid patches, and its environments share the values of the patch.
 */
import { applyPatch, type Operation } from "fast-json-patch";
// biome-ignore lint/style/noRestrictedImports: the classic build is what is compared with.
import * as z from "zod";

const operation = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), path: z.string(), value: z.unknown() }),
  z.object({ op: z.literal("remove"), path: z.string() }),
  z.object({ op: z.literal("replace"), path: z.string(), value: z.unknown() }),
  z.object({ op: z.literal("copy"), from: z.string(), path: z.string() }),
  z.object({ op: z.literal("move"), from: z.string(), path: z.string() }),
]);

const variant = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^(?!\.{1,2}$)[\w.!~*'()-]+$/),
  weight: z.number().int().min(0).max(1000),
  weightType: z.enum(["variable", "fix"]).default("variable"),
  stickiness: z.string().min(1).default("default"),
  payload: z.strictObject({ type: z.string().min(1), value: z.string().min(1) }).optional(),
  overrides: z
    .array(z.strictObject({ contextName: z.string().min(1), values: z.array(z.string().min(1)) }))
    .optional(),
});

const patches = z.array(operation).max(1000);
const variants = z
  .array(variant)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length)
  .refine((list) => list.some(({ weightType }) => weightType === "variable"));

type Variant = z.infer<typeof variant>;

export function patchPlainly(body: string, environments: readonly Variant[][]): Variant[][] {
  const patch = patches.parse(JSON.parse(body)) as Operation[];
  return environments.map((list) => {
    const { newDocument } = applyPatch(list, patch, true, false);
    return normaliseWeights(variants.parse(newDocument)).sort((left, right) =>
      left.name.localeCompare(right.name),
    );
  });
}

function normaliseWeights(list: readonly Variant[]): Variant[] {
  const fixed = list.filter(({ weightType }) => weightType === "fix");
  const left = 1000 - fixed.reduce((sum, { weight }) => sum + weight, 0);
  const shares = list.length - fixed.length;
  let extra = left % shares;
  return list.map((each) =>
    each.weightType === "fix" ? each : { ...each, weight: Math.floor(left / shares) + (extra-- > 0 ? 1 : 0) },
  );
}
