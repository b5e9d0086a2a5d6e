/** Who moves, compared with a plain count of all buckets. */
import fc from "fast-check";
import { expect } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { emptyContent } from "../../../../lib/features/model.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import { itProp } from "../../../support/property.ts";
import { variant } from "../../../support/seed.ts";

interface Split {
  stickiness: string;
  shares: { name: string; weight: number }[];
}

const names = Array.from({ length: 160 }, (_, index) => `v${index}`);

/** Mostly a few variants of any weight, and sometimes more than a list of moves has. */
const splitArbitrary: fc.Arbitrary<Split> = fc
  .oneof(
    { weight: 3, arbitrary: fc.record({ length: fc.integer({ min: 1, max: 6 }), most: fc.constant(60) }) },
    { weight: 1, arbitrary: fc.record({ length: fc.integer({ min: 90, max: 160 }), most: fc.constant(4) }) },
  )
  .chain(({ length, most }) =>
    fc.record({
      stickiness: fc.constantFrom("default", "tenant"),
      shares: fc
        .tuple(
          fc.shuffledSubarray(names, { minLength: length, maxLength: length }),
          fc.array(fc.integer({ min: 1, max: most }), { minLength: length, maxLength: length }),
        )
        .map(([chosen, weights]) => chosen.map((name, index) => ({ name, weight: weights[index] ?? 1 }))),
    }),
  );

const contentOf = ({ stickiness, shares }: Split) => ({
  ...emptyContent,
  enabled: true,
  variants: shares.map(({ name, weight }): Variant => variant(name, { weight, stickiness })),
});

/** Counts each pair of buckets: the same hash gives both, or each has a hash of its own. Nothing is left out or estimated. */
function countPlainly(before: Split, after: Split) {
  const [bucketsBefore, bucketsAfter] = [before, after].map(({ shares }) =>
    shares.flatMap(({ name, weight }, place) =>
      Array<{ name: string; place: number }>(weight).fill({ name, place }),
    ),
  ) as [{ name: string; place: number }[], { name: string; place: number }[]];
  const pairs = new Map<string, { from: string; to: string; order: number; count: number }>();
  const countPair = (one: number, other: number) => {
    const [from, to] = [bucketsBefore[one], bucketsAfter[other]];
    if (!from || !to || from.name === to.name) return;
    const pair = pairs.get(`${from.name} ${to.name}`);
    if (pair) pair.count++;
    else {
      const order = from.place * names.length + to.place;
      pairs.set(`${from.name} ${to.name}`, { from: from.name, to: to.name, order, count: 1 });
    }
  };
  const all = bucketsBefore.length * bucketsAfter.length;
  for (let hash = 0; hash < all; hash++) {
    const isSameHash = before.stickiness === after.stickiness;
    const one = isSameHash ? hash % bucketsBefore.length : Math.floor(hash / bucketsAfter.length);
    countPair(one, hash % bucketsAfter.length);
  }
  const sorted = [...pairs.values()].sort(
    (left, right) => right.count - left.count || left.order - right.order,
  );
  const smaller = sorted.slice(limits.listedMoves).reduce((sum, { count }) => sum + count, 0);
  const listed = sorted
    .slice(0, limits.listedMoves)
    .map(({ from, to, count }) => ({ from, to, share: count / all }));
  return { listed, smaller: smaller / all };
}

itProp([splitArbitrary, splitArbitrary], { numRuns: 150 })(
  "the largest moves, their order and the sum of the others are those of a count of all buckets",
  (before, after) => {
    const { listed, smaller } = countPlainly(before, after);

    const moves = movesBetween("f", contentOf(before), contentOf(after));

    const others = moves.filter((move) => !("from" in move));
    const largest = moves.flatMap((move) => ("from" in move ? [move] : []));
    expect(largest).toEqual(listed.map((move) => ({ ...move, share: expect.closeTo(move.share, 12) })));
    expect(others).toHaveLength(smaller > 0 ? 1 : 0);
    expect(others[0]?.share ?? 0).toBeCloseTo(smaller, 12);
  },
);
