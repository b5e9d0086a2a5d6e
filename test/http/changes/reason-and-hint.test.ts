/** Burgee-Reason, which a caller sends with a change, and burgee-hint, which a write returns. */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { invalid, naming } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue");
const environments = { development: [blue], production: [blue] };
const because = (reason: string) => ({ headers: { "burgee-reason": reason } });
const stick = (text: string) => [replace("/0/stickiness", text)];
const changesOf = async (feature: string) => (await burgee.getChanges(feature)).json.changes;

describe("a Burgee-Reason", () => {
  const flags = "🚩".repeat(200);
  const odd = "50% %zz %C3 %C3x %ff %C0%AF %ED%A0%80 %";

  it.each([
    ["200 characters", "x".repeat(200), "x".repeat(200)],
    ["200 characters that are percent-encoded", encodeURIComponent(flags), flags],
    ["bytes in any letter case", "gr%C3%BCn, 5 %e2%82%ac", "grün, 5 €"],
    ["percent signs that begin no valid sequence", odd, odd],
    ["an encoded percent sign", "%2541", "%41"],
    ["no characters", "", undefined],
  ])(
    "of %s is in the list, in the item and in the log, for a patch and its undo",
    async (_, sent, reason) => {
      const feature = await addFeature(burgee, { environments });

      const { headers } = await burgee.patchVariants(feature, stick("userId"), because(sent));
      const patched = await burgee.storedEnvironment(feature, "production");
      await burgee.undo(feature, headers["burgee-change"] ?? "", because(sent));
      const undone = await burgee.storedEnvironment(feature, "production");

      const reasons = [...log, ...(await changesOf(feature))].map((one) => one.reason);
      expect(reasons).toEqual(Array(4).fill(reason));
      // Events cannot leave a member out.
      expect([patched.carriedNewest?.reason, undone.carriedNewest?.reason]).toEqual(
        Array(2).fill(reason ?? ""),
      );
    },
  );

  it("is that of the first attempt that has written", async () => {
    const feature = await addFeature(burgee, { environments });
    const withKey = (reason: string) => ({ headers: { "idempotency-key": "once", "burgee-reason": reason } });
    burgee.wire.decideWrites((count) => (count === 2 ? { error: "ResourceNotFoundException" } : "pass"));
    await burgee.patchVariants(feature, stick("userId"), withKey("first"));
    await burgee.patchVariants(feature, stick("userId"), withKey("second"));

    const stored = ["development", "production"].map((name) => burgee.storedEnvironment(feature, name));
    const reasons = (await Promise.all(stored)).map(({ carriedNewest }) => carriedNewest?.reason);
    expect(reasons).toEqual(["first", "first"]);
  });

  it.each([
    ["201 characters", "x".repeat(201), "200 characters"],
    ["201 encoded characters", encodeURIComponent(`${flags}x`), "200 characters"],
    ["a character outside ASCII", "grün", "visible ASCII"],
    ["a tab", "a\tb", "visible ASCII"],
    ["an encoded line break", "a%0Ab", "control"],
    ["an encoded delete", "a%7Fb", "control"],
    ["an encoded control character of two bytes", "a%C2%85b", "control"],
    ["a character that reverses the text after it", "%E2%80%AE", "format"],
  ])("of %s is refused with 400, and nothing is written", async (_, sent, words) => {
    const feature = await addFeature(burgee, { environments });

    for (const dryRun of [false, true]) {
      const answer = await burgee.patchVariants(feature, stick("userId"), { dryRun, ...because(sent) });
      expect(answer).toEqual(invalid({ message: naming("Burgee-Reason", words) }));
    }
    expect(burgee.writes()).toEqual([]);
  });

  it("does not make another request of a retry: the change keeps the first", async () => {
    const feature = await addFeature(burgee, { environments });
    const send = (reason: string) =>
      burgee.patchVariants(feature, stick("userId"), {
        headers: { "idempotency-key": "one", "burgee-reason": reason },
      });

    const answers = [await send("first"), await send("second")];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await changesOf(feature)).toMatchObject([{ reason: "first" }]);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({ revision: 2 });
  });
});

describe("the header burgee-hint of a write", () => {
  const setWeight = [replace("/0/weight", 250)];
  const noEffect =
    'The weight 250 of variant "blue" has no effect: variable variants share evenly what the fix ones leave; set weightType to fix to keep it';
  const half = { weight: 500 };
  const pair = [variant("blue", half), variant("red", half)];
  const longest = "e".repeat(1024 - `: ${noEffect}`.length);
  const kept = [variant("blue", { weight: 250 }), variant("red", { weight: 750, weightType: "fix" })];

  it.each<[string, Record<string, Variant[]>, string | undefined]>([
    ["is there if it changes nothing", { development: [blue] }, `development: ${noEffect}`],
    ["is that of the first environment that has one", { a: kept, b: [blue], c: [blue] }, `b: ${noEffect}`],
    ["has the environment percent-encoded", { "a=b, ü": [blue] }, `a%3Db%2C%20%C3%BC: ${noEffect}`],
    ["may have 1,024 bytes", { [longest]: [blue] }, `${longest}: ${noEffect}`],
    ["is left out if it is longer", { [`${longest}e`]: [blue] }, undefined],
  ])("%s", async (_, lists, expected) => {
    const feature = await addFeature(burgee, { environments: lists });

    const { status, headers } = await burgee.patchVariants(feature, setWeight);

    expect(status).toBe(200);
    expect(headers["burgee-hint"]).toBe(expected);
  });

  it.each([
    [60, 'development: SDKs do not know the strategy "%F0%9F%9A%A9'],
    [100, undefined],
  ])("has its length as it is sent, of the name of a strategy of %i flags", async (count, start) => {
    const feature = await addFeature(burgee, { environments });
    const strategy = { name: "\u{1f6a9}".repeat(count), parameters: {}, constraints: [], variants: {} };

    const { status, headers } = await burgee.patchFeature(feature, [add("/strategies/s", strategy)]);

    expect(status).toBe(200);
    expect(headers["burgee-hint"]?.slice(0, start?.length)).toBe(start);
    expect(headers["burgee-hint"]?.length ?? 0).toBeLessThanOrEqual(1024);
  });

  it.each(["a\r\nset-cookie: b=c", "grün", "🚩", "a b"])(
    "has no text of the patch that is no name of the result, as %j, which the patch adds twice and removes again",
    async (name) => {
      const feature = await addFeature(burgee, { environments });
      const operations = [add(`/${name}`, { weight: 0 }), add(`/${name}`, { weight: 0 }), remove(`/${name}`)];

      const { status, headers } = await burgee.patchVariants(feature, operations, { query: "by=name" });

      expect(status).toBe(200);
      expect(headers).not.toHaveProperty("burgee-hint");
    },
  );

  it("names the weight that a patch moves without setting it, as an import did not share the weights", async () => {
    const uneven = [variant("blue", { weight: 300 }), variant("red", { weight: 700 })];
    const feature = await addFeature(burgee, { environments: { development: pair, production: uneven } });
    const operations = [replace("/0/stickiness", "userId")];

    const dry = await burgee.patchVariants(feature, operations, { dryRun: true });
    const { headers } = await burgee.patchVariants(feature, operations);

    const hint = expect.stringMatching(
      /^The weight of variant "blue" goes from 300 to 500: .*weightType to fix/,
    );
    expect(dry.json.environments.map((one: { hint?: string }) => one.hint)).toEqual([undefined, hint]);
    expect(headers["burgee-hint"]).toMatch(/^production: The weight of variant "blue" goes from 300 to 500/);
    expect((await burgee.patchVariants(feature, [add("/0/stickiness", "id")])).headers).not.toHaveProperty(
      "burgee-hint",
    );
  });
});
