/** What a patch may add up to, and bodies made to exhaust: each is refused, with less than 200 ms of the processor. */
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { bombs } from "../../fuzz/hostile.ts";
import { faultsAt, invalid, naming, patchedTo, refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const large = (name: string, bytes: number, rest = {}) =>
  variant(name, { payload: { type: "string", value: "x".repeat(bytes) }, ...rest });

describe("a patch has at most 1,000 operations:", () => {
  it("1,000 are accepted", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [
      add("/-", { name: "blue", weight: 0 }),
      ...times(999, (index) => replace("/0/name", `blue-${index}`)),
    ]);

    expect(answer).toEqual(patchedTo([variant("blue-998")]));
  });

  it("1,001 are refused with 400 that names the limit", async () => {
    const patch = times(1001, () => replace("/0/name", "blue"));

    const answer = await burgee.patch("missing", patch);

    expect(answer).toEqual(invalid({ message: naming("1000"), details: faultsAt("") }));
  });
});

describe("an environment that would not fit in a stored item (400 KiB)", () => {
  it.each<[string, Variant[], PatchOperation[], words: string[]]>([
    [
      "additions",
      [large("blue", 300_000)],
      [add("/-", large("red", 110_000))],
      ["0", "add", "/-", "400 KiB"],
    ],
    [
      "what is stored beside its variants",
      [large("blue", 409_000 - 200_000)],
      [add("/-", large("red", 200_300))],
      ["400 KiB"],
    ],
  ])("is refused with 400, and nothing is written, by %s", async (_, development, patch, words) => {
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    expect(await burgee.patch(feature, patch)).toEqual(refusedInDevelopment(...words));
    const stored = { variants: development, revision: 1 };
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject(stored);
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({
      variants: [],
      revision: 1,
    });
  });

  it("fails after another that has room, in a dry run as well", async () => {
    const environments = { development: [], production: [large("blue", 300_000)] };
    const feature = await addFeature(burgee, { environments });
    const patch = [add("/-", large("red", 110_000))];

    const dry = await burgee.patch(feature, patch, { dryRun: true });
    const real = await burgee.patch(feature, patch);

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "failed", message: naming("400 KiB") },
    ];
    expect(dry.json.environments).toMatchObject(details);
    expect(real).toEqual(invalid({ message: naming("production", "400 KiB"), details }));
    expect(await burgee.names(feature)).toEqual(["red"]);
    expect(await burgee.names(feature, "production")).toEqual(["blue"]);
  });

  it("is stored when it just fits", async () => {
    const feature = await addFeature(burgee, { environments: { development: [large("blue", 200_000)] } });

    const answer = await burgee.patch(feature, [add("/-", large("red", 190_000))]);

    const half = { weight: 500 };
    expect(answer).toEqual(patchedTo([large("blue", 200_000, half), large("red", 190_000, half)]));
  });
});

describe("a body as large as it may be is refused cheaply:", () => {
  const mostMs = 200;
  let feature: string;

  beforeAll(async () => {
    const development = [variant("blue"), variant("green")];
    feature = await addFeature(burgee, { environments: { development, production: [variant("blue")] } });
  });

  it.each(Object.entries(bombs))("%s", async (_, make) => {
    const body = largest(make);

    const tags = await cost(() => burgee.putTags(feature, undefined, { body }));
    const variants = await cost(() => burgee.patch(feature, undefined, { body }));

    expect([tags.status, variants.status]).toEqual([400, 400]);
    expect(Math.max(tags.ms, variants.ms)).toBeLessThan(mostMs);
    expect(burgee.writes()).toEqual([]);
  });

  /** The largest that a body may be. */
  function largest(make: (size: number) => string): string {
    const perSize = (make(2_000).length - make(1_000).length) / 1_000;
    let size = Math.floor(limits.bodyBytes / perSize);
    while (make(size).length > limits.bodyBytes)
      size -= Math.ceil((make(size).length - limits.bodyBytes) / perSize);
    return make(size);
  }

  /** The first of a few that is cheap, or the last: other work in this process counts as well. */
  async function cost(send: () => Promise<{ status: number }>): Promise<{ status: number; ms: number }> {
    let measured = { status: 0, ms: Number.POSITIVE_INFINITY };
    for (let run = 0; run < 3 && measured.ms >= mostMs; run++) {
      const before = process.cpuUsage();
      const { status } = await send();
      const { user, system } = process.cpuUsage(before);
      measured = { status, ms: (user + system) / 1000 };
    }
    return measured;
  }
});
