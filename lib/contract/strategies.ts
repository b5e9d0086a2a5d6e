/**
 * Schemas of what decides for whom a feature is on: Unleash's strategies and parent features, and flagd's targeting.
 */
import * as z from "zod/mini";
import { isNumber, valueIssue } from "./constraint-values.ts";
import { forbiddenMembers } from "./json.ts";
import { limits } from "./limits.ts";
import { urlFriendlyNameSchema } from "./names.ts";
import {
  droppedMember,
  integerUpTo,
  listOfAtMost,
  listOfTexts,
  nonEmptyText,
  recordOfTexts,
  textOfLength,
  uniqueBy,
} from "./shared-schemas.ts";
import { lastSortOrder } from "./unleash-rules.ts";
import { namelessVariantSchema, uniqueNames } from "./variants.ts";

/** Operators that compare with `values`: `NOT_IN` holds if none of them matches, the others if one does. */
const listOperators = [
  "IN",
  "NOT_IN",
  "STR_STARTS_WITH",
  "STR_ENDS_WITH",
  "STR_CONTAINS",
  "IN_CIDR",
] as const;

/** Operators that compare with `value`. */
const valueOperators = [
  "NUM_EQ",
  "NUM_GT",
  "NUM_GTE",
  "NUM_LT",
  "NUM_LTE",
  "DATE_AFTER",
  "DATE_BEFORE",
  "SEMVER_EQ",
  "SEMVER_GT",
  "SEMVER_GTE",
  "SEMVER_LT",
  "SEMVER_LTE",
  "REGEX",
] as const;

const isListOperator = (operator: string) => (listOperators as readonly string[]).includes(operator);

/** A condition on a field of the context. */
export const constraintSchema = z
  .strictObject({
    /** The name of the context field. */
    contextName: textOfLength(1, 255),
    /** How the field is compared with `values` or `value`. */
    operator: z.enum([...listOperators, ...valueOperators]),
    /**
     * Required for `IN`, `NOT_IN`, `STR_*` and `IN_CIDR`. `NOT_IN` holds if none of them matches, the others if one
     * does.
     */
    values: z.exactOptional(listOfTexts({ max: limits.constraintValues })),
    /**
     * Required for the other operators: a number, a time with its zone, a semantic version, or a regular expression of
     * RE2.
     */
    value: z.exactOptional(z.string()),
    /** Whether the comparison has to fail. */
    inverted: z.exactOptional(z.boolean()),
    /** Used by `STR_*` and `REGEX`. */
    caseInsensitive: z.exactOptional(z.boolean()),
  })
  .check(({ value: { operator, values, value }, issues }) => {
    const addIssue = (member: string, message: string) =>
      issues.push({ code: "custom", path: [member], message, input: value });
    // Unleash's SDKs for Node.js fail without the list.
    if (isListOperator(operator)) {
      if (!values) addIssue("values", `is required for ${operator}`);
      return;
    }
    const issue = value === undefined ? `is required for ${operator}` : valueIssue(operator, value);
    if (issue !== undefined) addIssue("value", issue);
  });

/** A variant of a strategy, without its name. It has no overrides, because constraints do the same. */
export const namelessStrategyVariantSchema = z.omit(namelessVariantSchema, { overrides: true });

/** A variant of a strategy. */
export const strategyVariantSchema = z.strictObject({
  /** URL-friendly, and unique in the strategy. */
  name: urlFriendlyNameSchema,
  ...namelessStrategyVariantSchema.shape,
});

/** The id of a strategy. */
export const strategyIdSchema = urlFriendlyNameSchema.check(
  z.refine((id) => !forbiddenMembers.has(id), "is a forbidden name"),
);

const strategyMembers = {
  /** The name of a strategy of Unleash, such as `flexibleRollout`. */
  name: textOfLength(1, 100),
  /** A title for people, without effect. */
  title: z.exactOptional(z.string()),
  /** Whether the documents of SDKs leave the strategy out. */
  disabled: z.exactOptional(z.boolean()),
  /**
   * The first strategy that matches decides. Strategies are in this order, and in the order of their ids where it is
   * equal.
   */
  sortOrder: z._default(integerUpTo(lastSortOrder), lastSortOrder),
  /** The strategy's parameters, such as `rollout`, `stickiness` and `groupId`. */
  parameters: z._default(recordOfTexts(), {}),
  /** The conditions on a user: all of them have to hold. */
  constraints: z._default(listOfAtMost(constraintSchema, limits.constraints, "constraints"), []),
};

/** Requires a number, because Unleash's SDKs compare a bucket with it: without a number the rollout reaches no user. */
function checkRollout({ value: { name, parameters }, issues }: z.core.ParsePayload<RolloutMembers>): void {
  if (name !== "flexibleRollout") return;
  const { rollout } = parameters;
  if (rollout !== undefined && isNumber(rollout) && Number(rollout) >= 0 && Number(rollout) <= 100) return;
  const message =
    rollout === undefined ? "is required for flexibleRollout" : "must be a number from 0 to 100";
  issues.push({ code: "custom", path: ["parameters", "rollout"], message, input: rollout });
}

interface RolloutMembers {
  name: string;
  parameters: Record<string, string>;
}

/** A strategy without its id and its variants. */
export const strategyRestSchema = z.strictObject(strategyMembers).check(checkRollout);

/** A strategy of an environment, which decides who gets a feature that is on. */
export const strategySchema = z
  .strictObject({
    /** URL-friendly, and unique in the environment. */
    id: strategyIdSchema,
    ...strategyMembers,
    /**
     * Users whom the strategy matches get one of these in place of the environment's. SDKs give out the shares in this
     * order.
     */
    variants: z._default(z.array(strategyVariantSchema).check(uniqueNames), []),
  })
  .check(checkRollout);

/**
 * A strategy as Unleash's clients send it. Members that Unleash adds to its responses are dropped. An `id` that differs
 * from that of the path is refused.
 */
export const sentStrategySchema = z.pipe(
  z.strictObject({
    ...strategySchema.shape,
    /** The id of a new strategy; if absent, Burgee makes one. URL-friendly, and unique in the environment. */
    id: z.exactOptional(strategyIdSchema),
    /** A title for people, without effect; null is none. */
    title: z.optional(z.nullable(z.string())),
    /** Whether the documents of SDKs leave the strategy out; null is the default, `false`. */
    disabled: z.optional(z.nullable(z.boolean())),
    /** Must be empty. Send the constraints of the segments instead. */
    segments: z.optional(z.array(z.unknown()).check(z.maxLength(0, "must be empty: send their constraints"))),
    /** Dropped. */
    createdAt: droppedMember,
    /** Dropped. */
    environment: droppedMember,
    /** Dropped. */
    featureName: droppedMember,
    /** Dropped. */
    featureId: droppedMember,
    /** Dropped. */
    projectId: droppedMember,
    /** Dropped. */
    strategyName: droppedMember,
  }),
  z.transform(
    ({ id, name, title, disabled, sortOrder, parameters, constraints, variants }): SentStrategy => ({
      ...(id !== undefined && { id }),
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof disabled === "boolean" && { disabled }),
      sortOrder,
      parameters,
      constraints,
      variants,
    }),
  ),
);

/** A strategy in an object of strategies by id: without its `id`, and with its variants by name. */
export const strategyByIdSchema = z.strictObject({
  ...strategyMembers,
  /**
   * Variants by name, each without its `name`. Users whom the strategy matches get one of these in place of the
   * environment's. SDKs give out the shares in this order.
   */
  variants: z._default(z.record(urlFriendlyNameSchema, namelessStrategyVariantSchema), {}),
});

export const strategyListSchema = listOfAtMost(strategySchema, limits.strategies, "strategies").check(
  uniqueBy("id", () => "is already the id of another strategy: ids are unique"),
);

/** flagd's own logic for a feature. Whether the feature is on comes from the rest of the environment. */
export const targetingSchema = z.strictObject({
  /** JSON Logic that returns the variant of a context. */
  targeting: z.exactOptional(z.record(z.string(), z.unknown())),
  /** The variant of a context for which the targeting returns none. */
  defaultVariant: z.exactOptional(z.nullable(z.string())),
  /** flagd's variants in place of Burgee's, for values that these cannot have, such as `true` and `false`. */
  variants: z.exactOptional(z.record(z.string(), z.unknown())),
});

/** A feature that has to be on for a user, or off, or on with one of these variants. */
const dependencySchema = z.strictObject({
  /** The name of the feature, in the same project. */
  feature: nonEmptyText,
  /** Whether the feature has to be on (the default) or off. */
  enabled: z.exactOptional(z.boolean()),
  /** The variants of which the user has to get one; without this list any will do. */
  variants: z.exactOptional(listOfTexts()),
});

/** Unleash's parent features: each of them has to be as its entry says. */
export const dependenciesSchema = listOfAtMost(dependencySchema, limits.dependencies, "dependencies").check(
  uniqueBy("feature", () => "is already a dependency"),
);

export type Constraint = z.infer<typeof constraintSchema>;
export type SentStrategy = Omit<Strategy, "id"> & Partial<Pick<Strategy, "id">>;
export type StrategyVariant = z.infer<typeof strategyVariantSchema>;
export type Strategy = z.infer<typeof strategySchema>;
export type Dependency = z.infer<typeof dependencySchema>;
export type Targeting = z.infer<typeof targetingSchema>;
