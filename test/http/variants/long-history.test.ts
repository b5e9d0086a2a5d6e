/** Many changes: none is forgotten within its 29 days, and what is stored of them does not grow with use. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { naming } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";

const burgee = useBurgee();
afterEach(() => vi.useRealTimers());

const hourMs = 3_600_000;
const environments = { development: [variant("blue")], production: [variant("blue")] };
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const stick = (text: string) => [replace("/0/stickiness", text)];
const adding = (name: string) => [add("/-", { name, weight: 0 })];
const idOf = ({ headers }: { headers: Record<string, string> }) => headers["burgee-change"] ?? "";
const variantsOf = async (feature: string, environment: string) =>
  (await burgee.storedEnvironment(feature, environment)).variants;

/** From now on, clocks are this much ahead of what they were. */
function clockAhead(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

it("340 requests with idempotency keys in one environment are accepted, and the first is recognised after the others", async () => {
  const feature = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  const first = await burgee.patch(feature, adding("first"), withKey("first"));

  for (const index of times(339, (index) => index)) {
    const { status } = await burgee.patch(feature, stick(`s${index}`), withKey(`key-${index}`));
    expect(status).toBe(200);
  }
  const { revision } = await burgee.storedEnvironment(feature, "production");
  const again = await burgee.patch(feature, adding("first"), withKey("first"));

  expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
  expect((await burgee.storedEnvironment(feature, "production")).revision).toBe(revision);
}, 60_000);

it("25 changes of large payloads are undone one after the other, byte by byte", async () => {
  const feature = await addFeature(burgee, { environments });
  const made: { id: string; before: unknown }[] = [];
  for (const index of times(25, (index) => index)) {
    const before = await variantsOf(feature, "production");
    const payload = { type: "string", value: String(index).padStart(60_000, "é") };
    made.push({ id: idOf(await burgee.patch(feature, [add("/0/payload", payload)])), before });
  }

  for (const { id, before } of made.reverse()) {
    expect((await burgee.undo(feature, id)).status).toBe(200);
    expect(await variantsOf(feature, "production")).toEqual(before);
    expect(await variantsOf(feature, "development")).toEqual(before);
  }
}, 60_000);

it("a large undone change does not keep an older one from being undone", async () => {
  const feature = await addFeature(burgee, { environments });
  const before = await variantsOf(feature, "production");
  const small = await burgee.patch(feature, stick("userId"));
  const payload = { type: "string", value: "x".repeat(40_000) };
  const large = await burgee.patch(feature, [add("/0/payload", payload)]);

  expect((await burgee.undo(feature, idOf(large))).status).toBe(200);
  expect((await burgee.undo(feature, idOf(small))).status).toBe(200);

  expect(await variantsOf(feature, "production")).toEqual(before);
});

it("a retry of an undone request after 30 others is refused, and the undo named", async () => {
  const feature = await addFeature(burgee, { environments });
  const made = await burgee.patch(feature, adding("red"), withKey("undone"));
  const undo = await burgee.undo(feature, idOf(made));
  for (const index of times(30, (index) => index)) await burgee.patch(feature, stick(`s${index}`));

  const { status, json } = await burgee.patch(feature, adding("red"), withKey("undone"));

  expect([status, json.message]).toEqual([409, naming("was undone", idOf(undo))]);
});

describe("clocks that differ", () => {
  it.each([30_000, 180_000])(
    "by %i ms between two attempts leave no half of a change to its undo",
    async (aheadMs) => {
      const feature = await addFeature(burgee, { environments });
      clockAhead(aheadMs);
      const isOfProduction = ({ input }: Call) => JSON.stringify(input.Key).includes("production");
      burgee.wire.decideWrites((_, call) =>
        isOfProduction(call) ? { error: "ValidationException" } : "pass",
      );
      const first = await burgee.patch(feature, adding("red"), withKey("both"));
      expect([first.status, first.headers["burgee-change"]]).toEqual([500, expect.any(String)]);
      burgee.wire.reset();
      vi.useRealTimers();
      await burgee.patch(feature, adding("red"), withKey("both"));

      const { status, headers } = await burgee.undo(feature, idOf(first));

      expect([status, headers["burgee-environments"]]).toEqual([
        200,
        "development=patched, production=patched",
      ]);
      expect(await burgee.names(feature)).toEqual(["blue"]);
    },
  );

  it("apply no request twice between 24 and 25 hours, by a server that is 0.9 hours ahead", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, adding("red"), withKey("day"));
    const { revision } = await burgee.storedEnvironment(feature, "production");

    for (const hours of [24.1, 24.9, 25.8]) {
      clockAhead(hours * hourMs);
      await burgee.patch(feature, stick(`at-${hours}`));
      expect((await burgee.patch(feature, adding("red"), withKey("day"))).status).toBe(200);
      vi.useRealTimers();
    }

    expect((await burgee.storedEnvironment(feature, "production")).revision).toBe(revision + 3);
  });
});

describe("a change of more than 29 days ago", () => {
  it("is undone where it is the last one of every environment that has one", async () => {
    const feature = await addFeature(burgee, { environments });
    const made = await burgee.patch(feature, adding("red"), { environment: "production" });
    clockAhead(400 * 24 * hourMs);

    const { status, headers } = await burgee.undo(feature, idOf(made));

    expect([status, headers["burgee-environments"]]).toEqual([
      200,
      "development=unchanged, production=patched",
    ]);
  });

  it("is refused in all where one environment has another change since, and counts in none as never made", async () => {
    const feature = await addFeature(burgee, { environments });
    const made = await burgee.patch(feature, adding("red"));
    const other = await burgee.patch(feature, stick("userId"), { environment: "production" });
    await burgee.undo(feature, idOf(other));
    clockAhead(29 * 24 * hourMs);

    const { status, json } = await burgee.undo(feature, idOf(made));

    expect([status, json.message]).toEqual([409, naming("more than 29 days ago")]);
    expect(await burgee.names(feature)).toEqual(["blue", "red"]);
  });
});
