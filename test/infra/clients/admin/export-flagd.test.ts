/** `export --as flagd`, evaluated by flagd's own engine. */
import { FlagdCore, MemoryStorage } from "@openfeature/flagd-core";
import { expect, it } from "vitest";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { addFeature, variant } from "../../../support/seed.ts";
import { useCommandLine } from "./command-line.ts";
import { expectIndependent, expectSpread, half, override, payload, state } from "./exported.ts";

const line = await useCommandLine(state);
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const core = new FlagdCore(undefined, silent);

async function exportFlagd(...more: string[]): Promise<{ out: string; err: string }> {
  const { code, out, err } = await line.run("export --as flagd --environment production", ...more);
  expect(code).toBe(0);
  // Valid by the schemas of flagd, not only good enough to be loaded.
  new MemoryStorage(silent).setConfigurations(out, true);
  core.setConfigurations(out);
  return { out, err };
}

const store = (production: Variant[]) =>
  addFeature(line.burgee, {
    name: flag,
    project: "lone",
    environments: { development: [], production },
    enabled: true,
  });

/** The flag that a feature with these variants becomes, and what was reported of it. */
async function exportOnly(...production: Variant[]): Promise<string> {
  await store(production);
  const { err } = await exportFlagd("--project", "lone");
  return err;
}

const flag = "F";
const text = (flag: string, targetingKey: string, more = {}) =>
  core.resolveStringEvaluation(flag, "the default", { targetingKey, ...more });
const rateLimit = (targetingKey: string, more = {}) =>
  core.resolveNumberEvaluation("rate-limit", 0, { targetingKey, ...more });
const banner = (context: Record<string, string>) => core.resolveObjectEvaluation("banner", {}, context);

it("a document for flagd has the features of an environment, and reports what flagd cannot have", async () => {
  const { out, err } = await exportFlagd();

  const { flags, ...rest } = JSON.parse(out);
  const $schema = "https://flagd.dev/schema/v0/flags.json";
  expect(rest).toEqual({ $schema, metadata: { environment: "production" } });
  expect(Object.keys(flags)).toEqual(["banner", "checkout", "constant", "empty", "home", "rate-limit"]);
  expect(flags.checkout).toEqual({
    state: "ENABLED",
    variants: { blue: "blue", green: "green", red: "red", violet: "violet" },
    defaultVariant: "blue",
    targeting: {
      if: [
        { in: [{ var: "userId" }, ["user-1", "user-2"]] },
        "red",
        { in: [{ var: "plan" }, ["beta"]] },
        "red",
        { in: [{ var: "userId" }, ["user-2", "user-3"]] },
        "violet",
        { fractional: Object.entries({ blue: 700, green: 300 }) },
      ],
    },
    metadata: { project: "default" },
  });
  expect(flags.empty).toMatchObject({ variants: { on: true, off: false }, defaultVariant: "on" });
  expect(err).toBe(`
NOT AS STORED     WHY                              WHICH
tags           1  the format has none              checkout
environments   1  not in environment "production"  early
weightType     1  flagd's are all fixed: users get the same shares, nothing to do  checkout
`);
});

it("a document for flagd spreads users by the weights, each always to the same variant", async () => {
  await exportFlagd();

  expectSpread({ blue: 0.7, green: 0.3 }, (user) => text("checkout", user).value);
  expectSpread({ "100": 0.5, "-2.5": 0.5 }, (user) => String(rateLimit(user).value));
  expectSpread({ dark: 0.5, light: 0.5 }, (sessionId) => String(banner({ sessionId }).variant));
  expectIndependent(
    (user) => rateLimit(user).variant === "high",
    (sessionId) => banner({ sessionId }).variant === "dark",
  );
});

it("a document for flagd has overrides, the first of which wins, payloads with their type, and a default", async () => {
  await exportFlagd();

  const chosen = ["user-1", "user-2", "user-3"].map((userId) => text("checkout", "t", { userId }).value);
  expect(chosen).toEqual(["red", "red", "violet"]);
  expect(text("checkout", "t", { plan: "beta", userId: "user-3" }).value).toBe("red");
  expect(["s1", "s2", "s3", "s4"].map((sessionId) => banner({ sessionId }))).toContainEqual(
    expect.objectContaining({ variant: "dark", value: { color: "#000", sizes: [1, 2.5] } }),
  );
  expect(text("constant", "t")).toMatchObject({ value: "a,b,c", variant: "only" });
  expect(text("home", "t")).toMatchObject({ value: "new", flagMetadata: { project: "web" } });
  // The heaviest, for users without the attribute that the spread goes by.
  expect(text("checkout", "")).toMatchObject({ value: "blue", reason: "DEFAULT" });
  expect(banner({ targetingKey: "u" }).variant).toBe("dark");
});

it.each([
  ["differ in type", payload("json", '{"a":1}'), payload("number", "5")],
  ["are missing numbers", payload("number", "5"), undefined],
  [
    "would be rounded",
    payload("json", '{"id":12345678901234567890}'),
    payload("number", "0.12345678901234567890"),
  ],
])("payloads are strings where they %s", async (_, first, second) => {
  const notes = await exportOnly(
    half("a", { ...first, overrides: [override("u", "a")] }),
    half("b", { ...second, overrides: [override("u", "b")] }),
  );

  expect(text(flag, "", { u: "a" })).toMatchObject({ value: first.payload.value, variant: "a" });
  expect(text(flag, "", { u: "b" })).toMatchObject({ value: second?.payload.value ?? "", variant: "b" });
  expect(notes).toMatch(/^payload +1 {2}flagd has no exact values of one type: they are strings {2}F$/m);
});

it("a payload is an object as it is", async () => {
  const value = '{"text":"12345678901234567890 \\" 12345678901234567890","n":[1.50,0,1e3,100]}';

  expect(await exportOnly(variant("a", payload("json", value)))).toBe("");

  expect(core.resolveObjectEvaluation(flag, {}).value).toEqual(JSON.parse(value));
});

it.each([
  ["object", payload("json", '{"a":1}'), {}],
  ["string", payload("csv", "a,b"), ""],
])("a variant without a payload has the empty %s where the others have one", async (_, given, value) => {
  const notes = await exportOnly(half("a", given), half("b", { overrides: [override("u", "b")] }));

  expect(core.getFlag(flag)?.evaluate({ u: "b" })).toMatchObject({ variant: "b", value });
  expect(notes).toMatch(/^absent payload +1 {2}exported as an empty value {2}F$/m);
});

it.each([
  ["random", "flagd has no random: the targeting key is used", "DEFAULT"],
  ["a.b", 'flagd reads "a.b" as a path into the context', "ERROR"],
  ["plan", "a flag has one: that of the first variant is used", "TARGETING_MATCH"],
])(
  "stickiness that flagd does not have, or that differs, is reported: %s",
  async (stickiness, why, reason) => {
    const notes = await exportOnly(half("a", { stickiness }), half("b"));

    expect(notes).toContain(why);
    expect(text(flag, "", { plan: "p1" }).reason).toBe(reason);
  },
);
