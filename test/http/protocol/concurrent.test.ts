/** Requests that one process runs concurrently, as Lambda's managed instances do: none gets anything of another. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const burgee = useBurgee();

/** Holds the first calls of the first request, which are parallel, until `second` has ended. */
async function interleave<First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHolding = true;
  const held = new Promise<void>((resolve) =>
    burgee.wire.decide(async (): Promise<Fate> => {
      if (isHolding) {
        resolve();
        await isReleased;
      }
      return "pass";
    }),
  );
  const started = first();
  await held;
  // Another process gets them one after the other.
  await setTimeout(100);
  isHolding = false;
  const ended = await second();
  release();
  return [await started, ended];
}

it("two patches by two keys: each has its caller, change and calls in its own log line", async () => {
  const feature = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  const [one, two] = [
    await burgee.keyWith({ permission: "ADMIN" }),
    await burgee.keyWith({ permission: "ADMIN" }),
  ];
  const patch = (key: string, name: string) =>
    burgee.patchVariants(feature, [add("/-", { name, weight: 0 })], {
      key,
      headers: { "burgee-reason": name },
    });

  const [first, second] = await interleave(
    () => patch(one, "red"),
    () => patch(two, "green"),
  );

  const lineOf = (key: string, reason: string, change = "") =>
    expect.objectContaining({ caller: key, keyHash: hashKey(key).slice(0, 8), reason, change, status: 200 });
  expect(log).toEqual([
    lineOf(two, "green", second.headers["burgee-change"]),
    lineOf(one, "red", first.headers["burgee-change"]),
  ]);
  expect(log.map(({ table }) => (table as { calls: number }).calls)).toEqual([3, 3]);
  expect(await burgee.names(feature, "production")).toEqual(["blue", "green", "red"]);
});

it("two documents: a slower read does not replace what a later one cached", async () => {
  const served = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  const load = () =>
    burgee.send({ method: "GET", path: "/api/projects/default/environments/production/client/features" });
  await burgee.send({ method: "GET", path: "/api/admin/projects" });

  const [first, second] = await interleave(load, async () => {
    const loaded = await load();
    await burgee.patchVariants(served, [add("/-", { name: "red", weight: 0 })]);
    return loaded;
  });
  const third = await load();

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.headers.etag).not.toBe(second.headers.etag);
  expect(third.headers.etag).toBe(second.headers.etag);
});

it("a request whose time runs out takes no time from another", async () => {
  const feature = await addFeature(burgee);
  const short = () => burgee.getVariants(feature, { remainingMs: 0 });

  const [long, cut] = await interleave(() => burgee.getVariants(feature), short);

  expect([long.status, cut.status]).toEqual([200, 503]);
});
