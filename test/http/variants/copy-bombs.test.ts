/** Bodies made to exhaust: each is answered, and with less than 200 ms of the processor. */
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { bombs } from "../../fuzz/hostile.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const mostMs = 200;
const environments = { development: [variant("blue"), variant("green")], production: [variant("blue")] };

const burgee = useBurgee();
let feature: string;

beforeAll(async () => {
  feature = await addFeature(burgee, { environments });
});

describe("a body as large as it may be is refused cheaply", () => {
  it.each(Object.entries(bombs))("%s", async (_, make) => {
    const body = largest(make);

    const tags = await cost(() => burgee.putTags(feature, undefined, { body }));
    const variants = await cost(() => burgee.patch(feature, undefined, { body }));

    expect([tags.status, variants.status]).toEqual([400, 400]);
    expect(Math.max(tags.ms, variants.ms)).toBeLessThan(mostMs);
    expect((await burgee.storedEnvironment(feature, "development")).revision).toBe(1);
  });
});

/** The largest that a body may be. */
function largest(make: (size: number) => string): string {
  const perSize = (make(2_000).length - make(1_000).length) / 1_000;
  let size = Math.floor(limits.bodyBytes / perSize);
  while (make(size).length > limits.bodyBytes)
    size -= Math.ceil((make(size).length - limits.bodyBytes) / perSize);
  return make(size);
}

/** The best of a few: in this process others have work to do too. */
async function cost(send: () => Promise<{ status: number }>): Promise<{ status: number; ms: number }> {
  let ms = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    ({ status } = await send());
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return { status, ms };
}
