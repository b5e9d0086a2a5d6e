/** The network may lose the response of a write that was done. The SDK retries the write; it must count once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Burgee, openBurgee } from "../support/burgee.ts";
import type { Fate } from "../support/wire.ts";

const state = {
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [
    {
      name: "checkout",
      project: "default",
      environments: {
        development: { variants: [{ name: "blue", weight: 1000 }] },
        production: { variants: [{ name: "blue", weight: 1000 }] },
      },
    },
  ],
};
/** Applied twice, it would show: each time it adds a variant with the next name. */
const addVariant = (name: string) => [{ op: "add", path: "/-", value: { name, weight: 1 } }];
const names = (variants: { name: string }[]) => variants.map(({ name }) => name);

describe.each(["returned", "withheld"] as const)(
  "where a failed condition has the old item %s",
  (oldItems) => {
    let burgee: Burgee;

    beforeEach(async () => {
      burgee = await openBurgee(state);
      burgee.wire.oldItems = oldItems;
    });
    afterEach(() => burgee.wire.close());

    function beforeWrite(happens: () => Promise<unknown>): void {
      burgee.wire.beforeFirst(({ operation }) => operation === "UpdateItem", happens);
    }

    function patchWeight(stickiness: number): Promise<unknown> {
      return burgee.patch("checkout", [{ op: "replace", path: "/0/stickiness", value: `s${stickiness}` }]);
    }

    it("a write of variants whose response is lost is done once, and acknowledged", async () => {
      burgee.wire.decide(({ operation, attempt }) =>
        operation === "UpdateItem" && attempt === 1 ? "lose the answer" : "pass",
      );

      const { status, json } = await burgee.patch("checkout", addVariant("green"));

      expect(status).toBe(200);
      expect(names(json.variants)).toEqual(["blue", "green"]);
      for (const environment of ["development", "production"]) {
        const { variants, revision } = await burgee.storedEnvironment("checkout", environment);
        expect({ names: names(variants), revision }).toEqual({ names: ["blue", "green"], revision: 2 });
      }
    });

    it("it is done once even when another request wrote before the retry", async () => {
      let others = 0;
      burgee.wire.decide(async ({ operation, attempt }): Promise<Fate> => {
        if (operation !== "UpdateItem" || attempt > 1 || others > 0) return "pass";
        others++;
        return "lose the answer";
      });
      const lost = burgee.patch("checkout", addVariant("green"));
      await expect.poll(() => others).toBe(1);
      const { status: other } = await burgee.patch("checkout", addVariant("red"));

      const { status } = await lost;

      expect([status, other]).toEqual([200, 200]);
      const { variants } = await burgee.storedEnvironment("checkout", "development");
      expect(names(variants)).toEqual(["blue", "green", "red"]);
    });

    it("returns 409 when too many other writes came before the retry to know its outcome", async () => {
      let lost = false;
      burgee.wire.decide(async ({ operation, attempt }): Promise<Fate> => {
        if (operation === "UpdateItem" && attempt === 1 && !lost) {
          lost = true;
          return "lose the answer";
        }
        if (attempt > 1) for (let other = 0; other < 20; other++) await patchWeight(other);
        return "pass";
      });

      const { status, json } = await burgee.patch("checkout", addVariant("green"));

      expect(status).toBe(409);
      expect(json.message).toContain("too much has changed to know whether it was stored");
      const { variants } = await burgee.storedEnvironment("checkout", "development");
      expect(names(variants)).toEqual(["blue", "green"]);
    });

    it("an update of tags whose response is lost is done, and acknowledged", async () => {
      burgee.wire.decide(({ operation, attempt }) =>
        operation === "UpdateItem" && attempt === 1 ? "lose the answer" : "pass",
      );

      const { status, json } = await burgee.putTags("checkout", {
        addedTags: [{ type: "simple", value: "team-a" }],
        removedTags: [],
      });

      expect(status).toBe(201);
      expect(json.tags).toEqual([{ type: "simple", value: "team-a" }]);
    });

    it("after a write conflict the patch is applied to the fresh item", async () => {
      beforeWrite(() => burgee.patch("checkout", addVariant("red")));

      const { status, json } = await burgee.patch("checkout", addVariant("green"));

      expect(status).toBe(200);
      expect(names(json.variants)).toEqual(["blue", "green", "red"]);
    });

    it("a patch that is not valid on the fresh item any more is refused, and nothing of it stored", async () => {
      beforeWrite(() => burgee.patch("checkout", addVariant("green")));

      const { status, json } = await burgee.patch("checkout", addVariant("green"));

      expect(status).toBe(400);
      expect(json.details).toEqual([
        { environment: "development", outcome: "failed", message: expect.stringContaining("unique") },
        { environment: "production", outcome: "not attempted" },
      ]);
      const { variants, revision } = await burgee.storedEnvironment("checkout", "development");
      expect({ names: names(variants), revision }).toEqual({ names: ["blue", "green"], revision: 2 });
    });

    it("a feature that is deleted while it is patched is not found, and not brought back", async () => {
      const item = await burgee.storedEnvironment("checkout", "development");
      beforeWrite(() => burgee.remove(item));

      const { status } = await burgee.patch("checkout", addVariant("green"));

      expect(status).toBe(404);
      await expect(burgee.storedEnvironment("checkout", "development")).rejects.toThrow("nothing is stored");
    });
  },
);
