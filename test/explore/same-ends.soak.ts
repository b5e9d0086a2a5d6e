/** The exploration itself: it finds the same each time, and also without its reductions. */
import { expect, it } from "vitest";
import { runExplore } from "./run-explore.ts";

it("reaches the same ends each time", () => {
  const one = ["--scenario", "two undos of one change", "--faults", "1"];
  const first = runExplore(...one);

  expect(first).toMatchObject({ status: 0, violations: [] });
  expect(runExplore(...one)).toEqual(first);
});

it("finds a deliberate bug, by the same schedule each time", () => {
  const bug = ["--bugs", "a change is not recognised by its id"];
  const found = runExplore(...bug);

  expect(found).toMatchObject({ status: 0, violations: [expect.stringContaining("a second time")] });
  expect(runExplore(...bug)).toEqual(found);
});

it("reaches the same ends without its reductions", () => {
  // --whole compares the ends.
  const one = ["--scenario", "tags with if-match", "--faults", "1", "--whole"];
  expect(runExplore(...one)).toMatchObject({ status: 0, violations: [] });
});
