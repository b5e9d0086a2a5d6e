/** The variants of a feature in one environment. */
import * as z from "zod/mini";
import { urlFriendlyNameSchema } from "./names.ts";
import { integerUpTo, listOfTexts, nonEmptyText, uniqueBy } from "./shared-schemas.ts";

export const weightTotal = 1000;

function isJsonContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

const payloadSchema = z.strictObject({ type: nonEmptyText, value: nonEmptyText }).check(
  z.refine(({ type, value }) => type !== "json" || isJsonContainer(value), {
    error: "must be a JSON object or list, because the payload's type is json",
    path: ["value"],
  }),
);

/** Users with one of these values in a context field always get the variant. */
export const overrideSchema = z.strictObject({
  /** The name of the context field. */
  contextName: nonEmptyText,
  /** The values of the field. */
  values: listOfTexts({ minLength: 1 }),
});

/** A variant of a feature, without its name. In a patch, `weightType` and `stickiness` may be left out. */
export const namelessVariantSchema = z.strictObject({
  /**
   * The variant's share. A patch normalises the weights of an environment or of a strategy so that they sum to 1000:
   * what the `fix` variants leave is divided evenly among the `variable` ones. An import stores the weights as they are.
   */
  weight: integerUpTo(weightTotal),
  /** Whether the weight is stored as sent (`fix`) or calculated (`variable`). */
  weightType: z._default(z.enum(["variable", "fix"]), "variable"),
  /** The context field that keeps a user on one variant. */
  stickiness: z._default(nonEmptyText, "default"),
  /** What SDKs pass on to the application. If `type` is `json`, `value` is the text of a JSON object or list. */
  payload: z.exactOptional(payloadSchema),
  /** The users who always get this variant. */
  overrides: z.exactOptional(z.array(overrideSchema)),
});

/** A variant of a feature. In a patch, `weightType` and `stickiness` may be left out. */
export const variantSchema = z.strictObject({
  /** URL-friendly, and unique in the environment. */
  name: urlFriendlyNameSchema,
  ...namelessVariantSchema.shape,
});

export const uniqueNames = uniqueBy(
  "name",
  (first) => `is already the name of variant ${first}: names are unique`,
);

/** A list in a state file or an import. */
export const variantListSchema = z.array(variantSchema).check(uniqueNames);

/** Validates that names are unique. The elements of what a patch built are validated before (lib/features/patch). */
export const uniquelyNamedSchema = z.array(z.unknown() as z.ZodMiniType<{ name: string }>).check(uniqueNames);

export type Variant = z.infer<typeof variantSchema>;

/** The value of `?by=`: the variants are a list sorted by name (`index`), or an object keyed by name. */
export type VariantForm = "index" | "name";
