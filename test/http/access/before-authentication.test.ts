/** What a request without a valid key costs, and what it learns. */
import { describe, expect, it } from "vitest";
import { unauthenticated } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const large = Array.from({ length: 4 }, (_, index) =>
  variant(`large-${index}`, { weight: 250, payload: { type: "string", value: "x".repeat(90_000) } }),
);

describe.each([
  ["a patch", (feature: string, key: string) => burgee.patch(feature, [], { key })],
  ["a read", (feature: string, key: string) => burgee.getVariants(feature, { key })],
  [
    "a read of one environment",
    (feature: string, key: string) => burgee.getVariants(feature, { key, environment: "development" }),
  ],
  ["a read of tags", (feature: string, key: string) => burgee.getTags(feature, { key })],
])("%s with an unknown key", (_, send) => {
  it("makes one small read, of the key, whether the feature is large, small or unknown", async () => {
    const features = [
      await addFeature(burgee, { environments: { development: large } }),
      await addFeature(burgee),
      "no-such-feature",
    ];

    for (const feature of features) {
      burgee.wire.reset();
      const answer = await send(feature, "an-unknown-key");

      expect(answer).toEqual(unauthenticated());
      expect(burgee.wire.calls.map(({ operation, units }) => [operation, units])).toEqual([["GetItem", 1]]);
    }
  });
});
