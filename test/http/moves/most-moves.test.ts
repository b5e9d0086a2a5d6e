/** Who moves, in the header and the log line of a write; and the limit that a caller sets. */
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../lib/contract/limits.ts";
import { detailsOf, invalid, naming, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";

const burgee = useBurgee();
const halves = [variant("blue", { weight: 500 }), variant("green", { weight: 500 })];
const red = add("/red", { weight: 100, weightType: "fix" });
const byName = { query: "by=name" };
const atMost = (share: string) => ({ headers: { "burgee-most-moves": share } });

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, {
    environments: { development: halves, production: [variant("blue")] },
    enabled: true,
  });
});

describe("burgee-moves", () => {
  it("has the share of each environment, and the log the largest", async () => {
    const { headers } = await burgee.patchVariants(feature, [red], byName);

    expect(headers["burgee-moves"]).toBe("development=0.15, production=0.1");
    expect(log.at(-1)).toMatchObject({ moves: 0.15 });
  });

  it("is the same for a retry, and absent once others have changed the environment", async () => {
    const keyed = { headers: { "idempotency-key": "k" }, ...byName, environment: "development" };
    const first = await burgee.patchVariants(feature, [red], keyed);
    const again = await burgee.patchVariants(feature, [red], keyed);
    await burgee.switch(feature, "off");
    const later = await burgee.patchVariants(feature, [red], keyed);

    expect([first, again].map(({ headers }) => headers["burgee-moves"])).toEqual(
      Array(2).fill("development=0.15"),
    );
    expect(later.headers).not.toHaveProperty("burgee-moves");
  });

  it("has 0 where nothing changes", async () => {
    const same = await burgee.switch(feature, "on");

    expect(same.headers["burgee-moves"]).toBe("development=0, production=0");
  });

  it("has unknown where it cannot be computed", async () => {
    const path = "/targeting";
    const { headers } = await burgee.patchFeature(feature, [add(path, { defaultVariant: "blue" })]);

    expect(headers["burgee-moves"]).toBe("development=unknown, production=unknown");
    expect(log.at(-1)).toMatchObject({ moves: null });
  });

  it("is of a switch and of an undo too", async () => {
    const off = await burgee.switch(feature, "off", { environment: "production" });
    const undone = await burgee.undo(feature, off.headers["burgee-change"] ?? "", {
      environment: "production",
    });

    expect([off, undone].map(({ headers }) => headers["burgee-moves"])).toEqual([
      "production=1",
      "production=1",
    ]);
  });

  it("is not of a dry run", async () => {
    const { headers } = await burgee.patchVariants(feature, [red], { query: "by=name&dryRun=true" });

    expect(headers).not.toHaveProperty("burgee-moves");
    expect(log.at(-1)).toMatchObject({ dryRun: true, moves: 0.15 });
  });
});

describe("Burgee-Most-Moves", () => {
  it("refuses another stickiness of 700 variants in few words, and a dry run of it lists few moves", async () => {
    const many = await addFeature(burgee, {
      environments: { development: times(700, (index) => variant(`v${index}`, { weight: 1 })) },
      enabled: true,
    });
    const patch = [replace("/0/stickiness", "tenant")];

    const refusal = await burgee.patchVariants(many, patch, atMost("0.5"));
    const preview = await burgee.patchVariants(many, patch, { query: "dryRun=true" });

    expect(refusal).toMatchObject({ status: 409, json: { code: "too-many-moves" } });
    expect(refusal.json.message.length).toBeLessThan(600);
    expect(preview.status).toBe(200);
    const [{ moves }] = preview.json.environments;
    expect(moves).toHaveLength(limits.listedMoves + 1);
    expect(moves[0]).toEqual({ share: expect.closeTo(0.998, 2) });
  });

  const refusal = (outcomes: Parameters<typeof detailsOf>[0], ...words: string[]) =>
    refused(409, "ConflictError", {
      code: "too-many-moves",
      message: naming(...words),
      details: detailsOf(outcomes),
    });

  it("refuses what moves more in one environment, and writes nowhere", async () => {
    const answer = await burgee.patchVariants(feature, [red], { ...byName, ...atMost("0.12") });

    const message = naming("15 %", "12 %", "10 % from green to red, 5 % from blue to green");
    expect(answer).toEqual(
      refusal(
        { development: { code: "too-many-moves", message }, production: "not attempted" },
        '"development"',
        "15 %",
      ),
    );
    expect(burgee.writes()).toEqual([]);
  });

  it("writes what moves as many, or fewer", async () => {
    const { status } = await burgee.patchVariants(feature, [red], { ...byName, ...atMost("0.15") });

    expect(status).toBe(200);
    expect((await burgee.switch(feature, "on", atMost("0"))).status).toBe(200);
  });

  it("refuses what cannot be computed, and a switch, and an undo", async () => {
    const targeting = [add("/targeting", { defaultVariant: "blue" })];
    const unknown = await burgee.patchFeature(feature, targeting, atMost("1"));
    const off = await burgee.switch(feature, "off", atMost("0.5"));
    const { headers } = await burgee.switch(feature, "off");
    burgee.wire.reset();
    const undo = await burgee.undo(feature, headers["burgee-change"] ?? "", atMost("0.5"));

    // Of a limit of 100 %, it would be false that it may be exceeded.
    expect(unknown.json.message).toBe(
      'environment "development": how many users get something else cannot be computed, which Burgee-Most-Moves requires: unknown',
    );
    expect([unknown, off, undo].map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(burgee.writes()).toEqual([]);
  });

  it("logs the share that is refused, rounded to 4 decimals; null if it cannot be computed", async () => {
    const thirds = [334, 333, 333].map((weight, index) => variant(`v${index}`, { weight }));
    const three = await addFeature(burgee, { environments: { development: thirds }, enabled: true });

    await burgee.patchVariants(three, [replace("/0/stickiness", "tenant")], atMost("0.5"));
    expect(log.at(-1)).toMatchObject({ status: 409, moves: 0.6667 });

    await burgee.patchFeature(three, [add("/targeting", { defaultVariant: "v0" })], atMost("0.5"));
    expect(log.at(-1)).toMatchObject({ status: 409, moves: null });
  });

  it("fails a dry run there; a strict one has the refusal", async () => {
    const dryRun = { query: "by=name&dryRun=true" };
    const strict = { "burgee-most-moves": "0.12", prefer: "handling=strict" };
    const shown = await burgee.patchVariants(feature, [red], { ...dryRun, ...atMost("0.12") });
    const refused = await burgee.patchVariants(feature, [red], { ...dryRun, headers: strict });

    expect(shown.json.environments).toMatchObject([
      { environment: "development", outcome: "failed", code: "too-many-moves" },
      { environment: "production", outcome: expect.not.stringMatching("failed") },
    ]);
    expect([shown.status, refused.status]).toEqual([200, 409]);
  });

  it("is checked again after a conflict", async () => {
    const production = { environment: "production" };
    await burgee.switch(feature, "off", production);
    const isWrite = ({ operation }: { operation: string }) => operation === "UpdateItem";
    burgee.wire.beforeFirst(isWrite, () => burgee.switch(feature, "on", production));

    const answer = await burgee.patchVariants(feature, [red], { ...byName, ...production, ...atMost("0") });

    expect(answer.json.code).toBe("too-many-moves");
    expect(await burgee.names(feature, "production")).toEqual(["blue"]);
  });

  it("lets what is written stay where a concurrent change comes between two environments", async () => {
    await burgee.switch(feature, "off");
    const isWriteThere = ({ operation, input }: Call) =>
      operation === "UpdateItem" && JSON.stringify(input).includes("ENVIRONMENT#production");
    burgee.wire.beforeFirst(isWriteThere, () => burgee.switch(feature, "on", { environment: "production" }));

    const answer = await burgee.patchVariants(feature, [red], { ...byName, ...atMost("0") });

    expect(answer).toMatchObject({
      status: 409,
      json: { details: [{ outcome: "patched" }, { outcome: "failed", code: "too-many-moves" }] },
    });
    expect(await burgee.names(feature, "development")).toContain("red");
    expect(await burgee.names(feature, "production")).toEqual(["blue"]);
  });

  it.each(["", "a", "1.5", "-0.1", "20%", ".5", "1e-3"])('refuses "%s" with 400', async (share) => {
    const answer = await burgee.patchVariants(feature, [red], { ...byName, ...atMost(share) });

    expect(answer).toEqual(invalid({ message: naming("Burgee-Most-Moves", "0.2") }));
  });
});
