/** `export --as flagd`, evaluated by flagd's own engine. */
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { FlagdCore, MemoryStorage } from "@openfeature/flagd-core";
import { expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { runProgram } from "../../support/program.ts";
import { addFeature, variant } from "../../support/seed.ts";
import { fileOf, newFolder, useCommandLine } from "./command-line.ts";
import {
  expectIndependent,
  expectSpread,
  half,
  onForEveryone,
  override,
  payload,
  state,
} from "./exported.ts";

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
  return err.replace(onForEveryone, "");
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
  expect(Object.keys(flags)).toEqual(["banner", "checkout", "constant", "home", "rate-limit"]);
  expect(flags.checkout).toEqual({
    state: "ENABLED",
    variants: { blue: "blue", green: "green", red: "red", violet: "violet" },
    defaultVariant: "blue",
    targeting: {
      if: [
        "variants of checkout",
        {
          if: [
            { or: [{ in: [{ var: "userId" }, ["user-1", "user-2"]] }, { in: [{ var: "plan" }, ["beta"]] }] },
            "red",
            { in: [{ var: "userId" }, ["user-2", "user-3"]] },
            "violet",
            { fractional: Object.entries({ blue: 700, green: 300 }) },
          ],
        },
      ],
    },
    metadata: { project: "default" },
  });
  expect(err).toBe(`${onForEveryone}
NOT AS STORED     WHY                              WHICH
tags           1  the format has none              checkout
features       1  not in environment "production"  early
weightType     1  flagd's are all fixed: users get the same shares, nothing to do  checkout
features       1  without variants                 empty
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
  ["a.b", 'flagd reads "a.b" as a path into the context', "DEFAULT"],
  ["plan", "a flag has one: that of the first variant is used", "TARGETING_MATCH"],
])(
  "stickiness that flagd does not have, or that differs, is reported: %s",
  async (stickiness, why, reason) => {
    const notes = await exportOnly(half("a", { stickiness }), half("b"));

    expect(notes).toContain(why);
    expect(text(flag, "", { plan: "p1" }).reason).toBe(reason);
  },
);

const isShop = { "==": [{ var: "app" }, "shop"] };
const isHalf = { "==": [{ fractional: [{ var: "targetingKey" }, ["in", 50], ["out", 50]] }, "in"] };
const spread = { fractional: Object.entries({ blue: 500, green: 500 }) };

function intoDocument(targeting: unknown, names = ["blue", "green", "off"]): string {
  const variants = Object.fromEntries(names.map((name) => [name, name]));
  const checkout = {
    state: "ENABLED",
    variants,
    defaultVariant: "off",
    targeting,
    metadata: { owner: "me" },
  };
  return fileOf({ $evaluators: {}, flags: { checkout, other: { ...checkout, targeting: {} } } });
}

const exportInto = (file: string) => exportFlagd("--project", "default", "--into", file);

it.each([
  ["the only spread of these variants", spread],
  ["what an earlier export has written", { if: ["variants of checkout", { fractional: [["gone", 1]] }] }],
])("--into replaces %s, and keeps a rollout to half of the users of one app", async (_, ours) => {
  const rule = JSON.parse((await exportFlagd("--project", "default")).out).flags.checkout.targeting;
  const rollout = (variants: unknown) => ({ if: [{ and: [isShop, isHalf] }, variants, "off"] });
  const given = intoDocument(rollout(ours));

  const { out, err } = await exportInto(given);
  const again = await exportInto(fileOf(JSON.parse(out)));

  const { flags, ...rest } = JSON.parse(out);
  const { checkout, other } = JSON.parse(readFileSync(given, "utf8")).flags;
  const variants = { blue: "blue", green: "green", off: "off", red: "red", violet: "violet" };
  expect(flags.checkout).toEqual({ ...checkout, variants, targeting: rollout(rule) });
  expect([rest, flags.other]).toEqual([{ $evaluators: {} }, other]);
  expect(err).toMatch(/\nfeatures +\d {2}the file lacks them +banner, /);
  expect(err).not.toContain("for everyone");
  expect(again.out).toBe(out);
});

it.each<[string, unknown]>([
  ["no targeting", undefined],
  ["a spread of other variants too", { fractional: [...spread.fractional, ["off", 500]] }],
  ["two spreads", { if: [isShop, spread, spread] }],
  // Not valid by flagd's schema: an operation of JSON Logic has one member.
  ["a spread with another operation beside it", { ...spread, if: 5 }],
])("--into leaves a flag with %s as it is, and reports it", async (_, targeting) => {
  const given = intoDocument(targeting);

  const { code, out, err } = await line.run("export --as flagd --environment production --into", given);
  const strict = await line.run("export --as flagd --environment production --strict --into", given);

  expect([code, JSON.parse(out)]).toEqual([0, JSON.parse(readFileSync(given, "utf8"))]);
  expect(err).toMatch(/\nvariants +1 {2}the flag's targeting has no place for them +checkout\n/);
  expect(strict).toMatchObject({ code: 1, out: "" });
});

it.each([
  ["has no variants", []],
  ["has only variants of weight 0", [half("a", { weight: 0 }), half("b", { weight: 0 })]],
])("--into leaves the flag of a feature that %s as it is, and --strict fails", async (_, variants) => {
  await store([half("a"), half("b")]);
  const given = fileOf(JSON.parse((await exportFlagd("--project", "lone")).out));
  await store(variants);

  const { out, err } = await exportFlagd("--project", "lone", "--into", given);
  const strict = await line.run(
    "export --as flagd --environment production --project lone --strict --into",
    given,
  );

  expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(given, "utf8")));
  expect(err).toMatch(/^variants +1 {2}the flag keeps those of an earlier export {2,}F$/m);
  expect(strict).toMatchObject({ code: 1, out: "" });
});

it("--into --strict fails where the file lacks a feature, as document check does", async () => {
  const file = newFolder().file("empty.json", { flags: {} });

  const strict = await line.run("export --as flagd --environment production --strict --into", file);

  expect(strict).toMatchObject({ code: 1, out: "" });
  expect(strict.err).toContain("an SDK would evaluate a feature differently: features");
});

it("--into --strict accepts a flag of its own for a feature without variants", async () => {
  await store([]);
  const own = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on" };
  const given = fileOf({ flags: { [flag]: own } });

  const run = await line.run(
    "export --as flagd --environment production --project lone --strict --into",
    given,
  );

  expect(run.code).toBe(0);
  expect(JSON.parse(run.out).flags).toEqual({ [flag]: own });
});

/** What `--into` makes of a flag that was exported with these variants and then edited. */
async function replaceVariants(before: Variant[], after: Variant[], edit = (exported: object) => exported) {
  await store(before);
  const given = JSON.parse((await exportFlagd("--project", "lone")).out);
  given.flags[flag] = edit(given.flags[flag]);
  await store(after);
  const into = fileOf(given);
  const { out, err } = await exportFlagd("--project", "lone", "--into", into);
  const strict = await line.run(`export --as flagd --environment production --strict --into ${into}`);
  return { given: given.flags[flag], updated: JSON.parse(out).flags[flag], err, strict };
}

it("--into removes a default variant and those with overrides that the feature no longer has", async () => {
  const overridden = half("x", { weight: 0, overrides: [override("u", "1")] });
  const before = [half("red", { stickiness: "tenant" }), half("green"), overridden];
  const after = ["blue", "green"].map((name) => half(name, { stickiness: "tenant" }));

  const { updated, err, strict } = await replaceVariants(before, after);

  expect(err).toMatch(/^variants +\d {2}the feature lacks them: they are removed {2}F: /m);
  expect(strict).toMatchObject({ code: 1, out: "" });
  expect(updated.variants).toEqual({ blue: "blue", green: "green" });
  expect(core.getFlag(flag)?.evaluate({}).variant).toBe("blue");
});

it.each<[string, (exported: unknown) => object, object?]>([
  ["or", (exported) => ({ or: [{ if: [isShop, "red"] }, exported] })],
  ["and", (exported) => ({ if: [isShop, { and: [true, "red"] }, exported] })],
  ["$ref", (exported) => ({ if: [isShop, { $ref: "mine" }, exported] }), { mine: { if: [true, "red"] } }],
])(
  "--into keeps a variant that the file's own targeting serves by %s",
  async (_, around, $evaluators = {}) => {
    await store([half("red"), half("green")]);
    const given = JSON.parse((await exportFlagd("--project", "lone")).out);
    given.flags[flag].targeting = around(given.flags[flag].targeting);
    await store([half("blue"), half("green")]);

    await exportFlagd("--project", "lone", "--into", fileOf({ ...given, $evaluators }));

    expect(text(flag, "u", { app: "shop" })).toMatchObject({ value: "red", reason: "TARGETING_MATCH" });
    expect(text(flag, "u").value).toMatch(/^(blue|green)$/);
  },
);

it("--into keeps a default variant and the variants that the file's own targeting serves", async () => {
  const before = [half("red"), half("green"), half("plum")];

  const { updated } = await replaceVariants(before, [half("blue"), half("green")], (exported) => {
    const { variants, targeting, ...rest } = exported as Record<string, object>;
    const own = { if: [isShop, targeting, isHalf, "red", { fractional: [["plum", 1]] }] };
    return { ...rest, variants: { ...variants, off: "off" }, defaultVariant: "off", targeting: own };
  });

  expect(updated.variants).toEqual({ red: "red", green: "green", plum: "plum", off: "off", blue: "blue" });
  expect(updated.defaultVariant).toBe("off");
});

it("--into leaves a flag as it is where variants would get values of another type, and reports it", async () => {
  const after = ["a", "b"].map((name) => half(name, payload("json", `{"is":"${name}"}`)));

  const { given, updated, err, strict } = await replaceVariants([half("a"), half("b")], after);

  expect(updated).toEqual(given);
  expect(err).toMatch(/^variants +1 {2}those of the file have values of another type {2}F$/m);
  expect(strict).toMatchObject({ code: 1, out: "" });
});

const numbers =
  '{"large":9007199254740993,"huge":1e400,"long":-0.12345678901234567890,"plain":[1.0,-0,12E2,7],"text":"1e400"}';

it("--into keeps numbers that a double would change as they are, and as numbers", async () => {
  const targeting = { fractional: [["high", 1]] };
  const flag = { state: "ENABLED", variants: { on: 9, off: {} }, defaultVariant: "on", targeting: {} };
  const rateLimit = { state: "ENABLED", variants: { low: 1, high: 2, more: 7 }, targeting };
  const given = JSON.stringify({ metadata: { id: 8 }, flags: { own: flag, "rate-limit": rateLimit } });
  const exact = given
    .replace(":8", ":9007199254740993")
    .replace(":7", ":9007199254740993")
    .replace('{"on":9', `{"on":${numbers}`);

  const { out, err } = await exportInto(newFolder().file("flags.json", Buffer.from(exact)));

  const [own = ""] = exact.split('"rate-limit"');
  const updated = `"rate-limit":{"state":"ENABLED","variants":{"low":-2.5,"high":100,"more":9007199254740993}`;
  expect(out.replaceAll(/\s/g, "")).toContain(own + updated);
  expect(JSON.parse(out).flags["rate-limit"]).not.toHaveProperty("defaultVariant");
  expect(err).not.toContain("another type");
});

const replaceArguments = (file: string) =>
  ["export", "--as", "flagd", "--environment", "production", "--into", file, file] as const;

it("--into replaces its own file, which keeps its mode and its symbolic link", async () => {
  const target = intoDocument(spread);
  chmodSync(target, 0o640);
  const link = path.join(newFolder().path, "link.json");
  symlinkSync(target, link);
  const expected = (await line.run(...replaceArguments(target).slice(0, -1))).out;

  expect(await line.run(...replaceArguments(link))).toMatchObject({ code: 0, out: "" });

  expect(readFileSync(target, "utf8")).toBe(expected);
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(path.dirname(target))).toEqual([path.basename(target)]);
});

it("a failed write leaves the file as it is", async () => {
  const target = fileOf({ flags: {}, metadata: { long: "x".repeat(20_000) } });
  const given = readFileSync(target, "utf8");
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" dist/tools/admin.mjs "$@"`;
  const { code, err } = await runProgram("bash", [
    "-c",
    limited,
    process.execPath,
    ...line.at(),
    ...replaceArguments(target),
  ]);

  expect(err).toContain(`burgee: ${target} cannot be written: EFBIG`);
  expect(code).toBe(1);
  expect(readFileSync(target, "utf8")).toBe(given);
  expect(readdirSync(path.dirname(target))).toEqual([path.basename(target)]);
});
