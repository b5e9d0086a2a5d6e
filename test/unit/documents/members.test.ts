/** Documents of SDKs have the members that are named here, and no other that is stored. */
import { expect, it } from "vitest";
import { strategySchema } from "../../../lib/contract/strategies.ts";
import { flagd } from "../../../lib/documents/flagd.ts";
import { createOmissions } from "../../../lib/documents/omissions.ts";
import { unleash } from "../../../lib/documents/unleash.ts";
import { emptyContent } from "../../../lib/features/model.ts";
import { variant } from "../../support/seed.ts";

const note = { note: "for our eyes only" };
const strategy = strategySchema.parse({
  ...{ id: "s1", name: "default", title: "also ours" },
  variants: [{ name: "blue", weight: 1000 }],
});
const feature = {
  ...{ ...emptyContent, name: "checkout", project: "default", ...note },
  enabled: true,
  variants: [variant("red")],
  strategies: [{ ...strategy, ...note }],
};

it("a document of Unleash has neither a new member of an environment or of a strategy, nor a strategy's title", () => {
  const document = unleash([feature], { environment: "production" }, createOmissions());

  const { id, title, sortOrder, ...served } = strategy;
  expect(document).toEqual({
    version: 2,
    features: [
      {
        ...{ name: "checkout", type: "release", project: "default", stale: false, impressionData: false },
        ...{ enabled: true, strategies: [served], variants: [variant("red")] },
      },
    ],
    query: { environment: "production" },
  });
});

it.each([
  [true, 0],
  [false, 1],
])("the stickinesses of a strategy are converted, unless it is disabled: %s", (disabled, count) => {
  const variants = [
    { ...strategy.variants[0], name: "blue", weight: 500, stickiness: "userId" },
    { ...strategy.variants[0], name: "red", weight: 500, stickiness: "sessionId" },
  ] as typeof strategy.variants;
  const omissions = createOmissions();

  unleash(
    [{ ...feature, strategies: [{ ...strategy, disabled, variants }] }],
    { environment: "production" },
    omissions,
  );

  expect(omissions.listDecisive()).toHaveLength(count);
});

it.each([null, JSON.stringify({ defaultVariant: "red" })])(
  "a document of flagd has none of them, with targeting %s",
  (targeting) => {
    const document = flagd([{ ...feature, targeting }], { environment: "production" }, createOmissions());

    const { checkout } = (document as { flags: Record<string, object> }).flags;
    expect(Object.keys(checkout ?? {}).sort()).toEqual(
      targeting === null
        ? ["defaultVariant", "metadata", "state", "targeting", "variants"]
        : ["defaultVariant", "metadata", "state", "variants"],
    );
    expect(JSON.stringify(document)).not.toMatch(/ours|for our eyes/);
  },
);
