/** The exploration itself: it finds the same each time, and also without its reductions. */
import { expect, it } from "vitest";
import { explore } from "./run-explore.ts";

it("reaches the same ends each time", () => {
  const one = ["--scenario", "two undos of one change", "--faults", "1"];
  const first = explore(...one);

  expect(first).toMatchObject({ status: 0, violations: [] });
  expect(explore(...one)).toEqual(first);
});

it("finds a deliberate bug, by the same schedule each time", () => {
  const bug = ["--bugs", "a change is not recognised by its id"];
  const found = explore(...bug);

  expect(found).toMatchObject({ status: 0, violations: [expect.stringContaining("a second time")] });
  expect(explore(...bug)).toEqual(found);
});

it("reaches the same ends without its reductions", () => {
  const one = ["--scenario", "tags with if-match", "--faults", "1"];
  expect(explore(...one, "--whole")).toMatchObject({ status: 0, violations: [] });
});
