/** The network may lose the response of a write that was done, and the session retries it. Retries of callers: test/faults/killed.test.ts */
import { beforeEach, describe, expect, it } from "vitest";
import type { Tag } from "../../lib/contract/tags.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, replace, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import type { Call, Fate } from "../support/wire.ts";

const burgee = useBurgee();
/** Applied twice, it would show: each time it adds a variant with the next name. */
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const environments = { development: [variant("blue")], production: [variant("blue")] };

async function expectDoneOnce(feature: string, environments: readonly string[]): Promise<void> {
  for (const environment of environments) {
    expect(await burgee.names(feature, environment)).toEqual(["blue", "green"]);
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
  }
}

describe.each(["returned", "withheld"] as const)("where a failed condition has its item %s", (oldItems) => {
  let feature: string;

  beforeEach(async () => {
    burgee.wire.oldItems = oldItems;
    feature = await addFeature(burgee, { environments });
  });

  const patch = (name: string) => burgee.patch(feature, adding(name));
  const beforeWrite = (happens: () => Promise<unknown>) =>
    burgee.wire.beforeFirst(({ operation }) => operation === "UpdateItem", happens);

  it("a write of variants whose response is lost is done once, and acknowledged", async () => {
    burgee.wire.decideWrites((_, { attempt }) => (attempt === 1 ? "lose the answer" : "pass"));

    const { status, json } = await patch("green");

    expect([status, json.variants]).toMatchObject([200, [{ name: "blue" }, { name: "green" }]]);
    await expectDoneOnce(feature, ["development", "production"]);
  });

  it("it is done once even when another request wrote before the retry", async () => {
    burgee.wire.decideWrites((count) => (count === 1 ? "lose the answer" : "pass"));
    const lost = patch("green");
    await expect.poll(() => burgee.writes().length).toBeGreaterThan(0);
    const other = await patch("red");

    expect([(await lost).status, other.status]).toEqual([200, 200]);
    expect(await burgee.names(feature)).toEqual(["blue", "green", "red"]);
  });

  it("its ETag is that of its own write, so it does not match what the other request wrote", async () => {
    burgee.wire.decideWrites(async (count): Promise<Fate> => {
      if (count === 1) return "lose the answer";
      if (count === 2) await burgee.patch(feature, [replace("/0/stickiness", "userId")]);
      return "pass";
    });

    const { status, headers } = await patch("green");
    const { etag = "" } = headers;
    const next = await burgee.patch(feature, adding("red"), { headers: { "if-match": etag } });

    expect([status, next.status]).toEqual([200, 412]);
  });

  it("returns 409 when too many other writes came before the retry to know its outcome", async () => {
    let others = 0;
    const writeOthers = async () => {
      while (others < 20) {
        await burgee.patch(feature, [replace("/0/stickiness", `s${others}`)]);
        others++;
      }
    };
    let ours: string | undefined;
    burgee.wire.decideWrites((_, { attempt, id }): Fate => {
      ours ??= id;
      if (id !== ours) return "pass";
      if (attempt === 1) return "lose the answer";
      if (attempt === 2) void writeOthers();
      return others < 20 ? { error: "ThrottlingException" } : "pass";
    });

    const { status, json, headers } = await patch("green");

    expect(status).toBe(409);
    expect(headers).toHaveProperty("burgee-change");
    expect(json.message).toContain("It is not known whether the write was stored");
    expect(await burgee.names(feature)).toEqual(["blue", "green"]);
  });

  it("after a write conflict the patch is applied to the fresh item", async () => {
    beforeWrite(() => patch("red"));

    const { status, json } = await patch("green");

    expect([status, json.variants]).toMatchObject([
      200,
      [{ name: "blue" }, { name: "green" }, { name: "red" }],
    ]);
  });

  it("a patch that is not valid on the fresh item any more is refused, and nothing of it stored", async () => {
    beforeWrite(() => patch("green"));

    const { status, json } = await patch("green");

    expect(status).toBe(400);
    expect(json.details).toEqual([
      { environment: "development", outcome: "failed", message: expect.stringContaining("unique") },
      { environment: "production", outcome: "not attempted" },
    ]);
    expect(await burgee.names(feature)).toEqual(["blue", "green"]);
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({ revision: 2 });
  });

  it("a feature that is deleted while it is patched is not found, and not brought back", async () => {
    const item = await burgee.storedEnvironment(feature, "development");
    beforeWrite(() => burgee.remove(item));

    expect((await patch("green")).status).toBe(404);
    await expect(burgee.names(feature)).rejects.toThrow("nothing is stored");
  });
});

describe("the outcome of a tag update whose response is lost is reported as not known", () => {
  const isUpdate = ({ operation }: Call) => operation === "UpdateItem";

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

  it("if the feature was deleted since, and a read of it fails", async () => {
    const name = await addFeature(burgee);
    const { pk, sk } = await burgee.storedFeature(name);
    await burgee.getTags(name);
    loseFirst(async () => {
      await burgee.remove({ pk, sk });
      burgee.wire.decide(() => "cut before it is done");
    });

    const update = { addedTags: [tag("team-a")], removedTags: [] };
    const { status, json } = await burgee.putTags(name, update, { remainingMs: 900 });

    expect([status, json.message]).toEqual([503, expect.stringContaining("it is not known")]);
  });

  it.each(["tag update", "patch"])(
    "of a %s, if the feature was deleted since, and no time is left to read it",
    async (what) => {
      const name = await addFeature(burgee, { environments });
      const { pk } = await burgee.storedFeature(name);
      const sk = what === "patch" ? "ENVIRONMENT#development" : "FEATURE";
      let remaining = 15_000;
      loseFirst(async () => {
        await burgee.remove({ pk, sk });
        remaining = 0;
      });
      const remainingMs = () => remaining;

      const { status, json, headers } =
        what === "patch"
          ? await burgee.patch(name, adding("green"), { remainingMs })
          : await burgee.putTags(name, { addedTags: [tag("team-a")], removedTags: [] }, { remainingMs });

      expect([status, json.message]).toEqual([503, expect.stringContaining("it is not known")]);
      expect("burgee-change" in headers).toBe(what === "patch");
    },
  );

  it("if another update left no room for the retry", async () => {
    const hundred = (from: number) =>
      times(100, (index) => tag(`${from + index}`.padEnd(50, "v"), "t".repeat(50)));
    const name = await addFeature(burgee, { tags: times(35, (index) => hundred(100 * index)).flat() });
    const put = (addedTags: Tag[], removedTags: Tag[] = []) =>
      burgee.putTags(name, { addedTags, removedTags });
    for (let from = 3500; (await put(hundred(from))).status === 201; from += 100);
    loseFirst(() => put(hundred(9100), hundred(9000)));

    const { status, json } = await put(hundred(9000), hundred(0));

    expect([status, json.message]).toEqual([409, expect.stringContaining("It is not known")]);
  });
});
