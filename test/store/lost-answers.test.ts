/** The network may lose the response of a write that was stored, or deliver a copy of it late. Every schedule: test/explore */
import { describe, expect, it, vi } from "vitest";
import type { Tag } from "../../lib/contract/tags.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import type { Call, Fate } from "../support/wire.ts";

const burgee = useBurgee();

const adding = [add("/-", { name: "green", weight: 1 })];
const environments = { development: [variant("blue")], production: [variant("blue")] };
const blue = tag("blue");
const addBlue = { addedTags: [blue], removedTags: [] };
const removeBlue = { addedTags: [], removedTags: [blue] };
const isUpdate = ({ operation }: Call) => operation === "UpdateItem";

describe("the outcome of an update whose response is lost is reported as not known", () => {
  /** Loses the response of the first update, and before its retry this happens. */
  function loseFirst(happens: () => Promise<unknown>): void {
    let isFirst = true;
    burgee.wire.decide(async (call): Promise<Fate> => {
      if (isUpdate(call) && call.attempt > 1) await happens();
      const isLost = isFirst && isUpdate(call);
      if (isLost) isFirst = false;
      return isLost ? "lose the answer" : "pass";
    });
  }

  it.each(["tag update", "patch"])("if no time is left to read what was deleted since: %s", async (what) => {
    const name = await addFeature(burgee, { environments });
    const { pk } = await burgee.storedFeature(name);
    const sk = what === "patch" ? "ENVIRONMENT#development" : "FEATURE";
    let remaining = 15_000;
    loseFirst(async () => {
      await burgee.remove({ pk, sk });
      remaining = 0;
    });
    const options = { remainingMs: () => remaining };

    const { status, json, headers } = await (what === "patch"
      ? burgee.patch(name, adding, options)
      : burgee.putTags(name, addBlue, options));

    expect([status, json.message]).toEqual([503, expect.stringContaining("it is not known")]);
    expect("burgee-change" in headers).toBe(what === "patch");
  });

  it("if another update left no room for the retry", async () => {
    const hundred = (from: number) =>
      times(100, (index) => tag(`${from + index}`.padEnd(50, "v"), "t".repeat(50)));
    const name = await addFeature(burgee, { tags: times(35, (index) => hundred(100 * index)).flat() });
    const put = (addedTags: Tag[], removedTags: Tag[] = []) =>
      burgee.putTags(name, { addedTags, removedTags });
    for (const from of [3500, 3600]) await put(hundred(from));
    loseFirst(() => put(hundred(9100), hundred(9000)));

    const { status, json } = await put(hundred(9000), hundred(0));

    expect([status, json.message]).toEqual([409, expect.stringContaining("It is not known")]);
  });
});

it("a fence that a fast clock has set costs a tag update one more call, and does not refuse it", async () => {
  const feature = await addFeature(burgee);
  burgee.wire.decide((call) => (isUpdate(call) && call.attempt === 1 ? "cut before it is done" : "pass"));
  vi.setSystemTime(Date.now() + 3_600_000);
  expect((await burgee.putTags(feature, addBlue)).status).toBe(201);
  vi.useRealTimers();
  burgee.wire.reset();

  expect((await burgee.putTags(feature, removeBlue)).status).toBe(201);

  expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["UpdateItem", "UpdateItem"]);
});
