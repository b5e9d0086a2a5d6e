import { expect, it } from "vitest";
import { rememberWrite } from "../../../lib/store/retry-list.ts";
import { times } from "../../support/patching.ts";

const hour = 3_600_000;
const now = Date.now();
const write = (revision: number, at = now) => ({
  id: `w${revision}`,
  revision,
  at: new Date(at).toISOString(),
});
const record = (revision: number, at = now) => ({ ...write(revision, at), key: `k${revision}`, change: "c" });
const revisions = (writes: readonly { revision: number }[]) => writes.map(({ revision }) => revision);

it.each<[string, (index: number) => number, moving: number[], left: number[]]>([
  ["moves its older half", () => now, times(10, (at) => at), times(10, (at) => 10 + at)],
  [
    "drops what is older than 49 hours instead",
    (index) => now - hour * (index < 3 ? 49 : 48),
    [],
    times(17, (at) => 3 + at),
  ],
])("a full list of records %s", (_, at, expected, left) => {
  const full = times(20, (index) => record(index, at(index)));

  const { writes, moving } = rememberWrite(full, record(50));

  expect(revisions(moving)).toEqual(expected);
  expect(revisions(writes)).toEqual([...left, 50]);
});

it("the newest 20 writes without a key are kept beside a full list of records", () => {
  const full = [...times(20, (index) => record(index)), ...times(20, (index) => write(20 + index))];

  const { writes, moving } = rememberWrite(full, write(40));

  expect(moving).toEqual([]);
  expect(revisions(writes)).toEqual([...times(20, (at) => at), ...times(20, (at) => 21 + at)]);
});
