/** The processor time that a key which may only read can cost: what a dry run validates is bounded. */
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../lib/contract/limits.ts";
import type { PatchOperation } from "../../lib/contract/patch.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { eventOf, featurePath, useBurgee, variantsPath } from "../support/burgee.ts";
import { processorMs } from "../support/cost.ts";
import { add, copy, move, replace, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const most = 150;
const elements = 19_700;
const overriding = (values: (number | string)[]) => ({
  weight: 0,
  overrides: [{ contextName: "a", values }],
});
const threeCopies = [copy("/a", "/b"), copy("/a", "/c"), copy("/a", "/d")];
const numbers = (count: number) => [add("/a", overriding(Array(count).fill(1))), ...threeCopies];
const texts = add("/a", overriding(Array(elements).fill("a")));
const empty = times(elements, () => ({}));
const stored = times(1500, (index) => variant(`v${index}`, { weight: index === 0 ? 1000 : 0 }));

const strategy = (rest: object) => [
  add("/strategies/s1", { name: "default", parameters: {}, constraints: [], variants: {}, ...rest }),
];
const longNumber = `${"1".repeat(50_000)}x`;
const aboveLongNumber = { contextName: "a", operator: "NUM_GT", value: longNumber };
const constraint = (count: number) => ({ contextName: "a", operator: "IN", values: Array(count).fill(1) });

/** Environments that are equal are planned once. */
describe("a dry run with READ of five equal environments costs at most 150 ms of an ordinary processor:", () => {
  let key: string;
  beforeAll(async () => {
    const environments = Object.fromEntries(times(5, (index) => [`environment-${index}`, stored]));
    await addFeature(burgee, { name: "hostile", project: "hostile", environments });
    key = await burgee.keyWith({ permission: "READ" });
  });

  /** Without the checks of the tests, which cost time too. */
  function dryRunOf(path: string, patch: PatchOperation[]) {
    const event = eventOf({ method: "PATCH", path, json: patch, key });
    return () => burgee.deliver("variants", event);
  }

  it.each<[string, PatchOperation[], by: "index" | "name", shown?: object]>([
    [
      "120,000 numbers as override values, and three copies",
      numbers(120_000),
      "name",
      { message: expect.stringContaining("more than 20,000 list elements") },
    ],
    ["as many numbers as a body may have, and three copies", numbers(elements), "name"],
    [
      "as many texts, and the copies that a patch may make",
      [texts, ...Array(24).fill(copy("/a", "/b"))],
      "name",
    ],
    ["the copies beside one another", [texts, ...times(24, (index) => copy("/a", `/${index}`))], "name"],
    ["values that are not overrides", [add("/a", { weight: 0, overrides: empty })], "name"],
    ["values that are not variants", [replace("", empty)], "index"],
    [
      "6,000 variants of one name",
      [
        replace(
          "",
          times(6000, () => ({ name: "a", weight: 0 })),
        ),
      ],
      "index",
    ],
    [
      "1,000 renamed of 1,500",
      times(1000, (index) => move(`/v${index}`, `/w${index}`)),
      "name",
      { message: expect.stringContaining("larger than 1 MB") },
    ],
  ])("%s", async (_, patch, by, shown = { environments: Array(5).fill({ outcome: "failed" }) }) => {
    const path = variantsPath("hostile", { project: "hostile", query: `dryRun=true&by=${by}` });
    const dryRun = dryRunOf(path, patch);

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json).toMatchObject(shown);
  });

  it.each<[string, PatchOperation[]]>([
    ["constraints with numbers as values", strategy({ constraints: times(30, () => constraint(600)) })],
    [
      "parameters that are numbers",
      strategy({ parameters: Object.fromEntries(times(15_000, (index) => [`p${index}`, index])) }),
    ],
    ["a constraint whose number ends in a letter", strategy({ constraints: [aboveLongNumber] })],
    [
      "a rollout that ends in a letter",
      strategy({ name: "flexibleRollout", parameters: { rollout: longNumber } }),
    ],
    [
      "variants of a strategy that are not variants",
      strategy({ variants: Object.fromEntries(times(9000, (index) => [`v${index}`, {}])) }),
    ],
    [
      "dependencies with numbers as variants",
      [add("/dependencies", [{ feature: "a", variants: Array(elements).fill(1) }])],
    ],
  ])("%s", async (_, patch) => {
    const dryRun = dryRunOf(featurePath("hostile", { project: "hostile", dryRun: true }), patch);

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json.environments[0]).toMatchObject({ outcome: "failed" });
  });
});

/** Without another seed each bucket stays, and the buckets of each variant are looked for. */
describe("who moves among 1,000 variants of one seed costs at most 150 ms of an ordinary processor:", () => {
  const names = times(5, (index) => `environment-${index}`);
  const weighted = times(1000, (index) => variant(`v${String(index).padStart(3, "0")}`, { weight: 1 }));
  const different = names.map((name, index) => [
    name,
    weighted.toSpliced(index, 1, variant(`w${index}`, { weight: 1 })),
  ]);
  const project = "one-seed";
  let key: string;
  beforeAll(async () => {
    const environments = Object.fromEntries(different);
    await addFeature(burgee, { name: project, project, environments, enabled: true });
    key = await burgee.keyWith({ permission: "READ" });
  });

  it("a dry run of a switch in five environments", async () => {
    const path = featurePath(project, { project, below: "/off", dryRun: true });
    const dryRun = () => burgee.deliver("variants", eventOf({ method: "POST", path, key }));

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json.environments[4].moves).toHaveLength(limits.listedMoves + 1);
  });
});

/** Another stickiness of the first variant: each of 1,000 variants can become each other. */
describe("who moves by another seed of 1,000 variants costs at most 150 ms of an ordinary processor:", () => {
  const weighted = times(1000, (index) => variant(`v${String(index).padStart(3, "0")}`, { weight: 1 }));
  const otherSeed = (stickiness: string) => [replace("/v000/stickiness", stickiness)];
  const equal = (count: number) =>
    Object.fromEntries(times(count, (index) => [`environment-${index}`, weighted]));
  const strategies = (rest: object = {}) =>
    times(30, (index) => ({
      id: `s${index}`,
      name: "default",
      sortOrder: index,
      parameters: {},
      constraints: [{ contextName: "c", operator: "IN" as const, values: [`${index}`] }],
      variants: [],
      ...rest,
    }));
  const read = () => burgee.keyWith({ permission: "READ" });

  /** Stores a feature in one environment, with 30 strategies, and returns a dry run of the patch. */
  async function dryRunWithStrategies(name: string, variants: Variant[], patch: PatchOperation[]) {
    const environments = { production: { enabled: true, variants, strategies: strategies() } };
    const project = `${name}-project`;
    await burgee.store({
      projects: [{ id: project, environments: ["production"] }],
      features: [{ name, project, environments }],
    });
    const path = variantsPath(name, { project, query: "dryRun=true&by=name" });
    const event = eventOf({ method: "PATCH", path, json: patch, key: await read() });
    return () => burgee.deliver("variants", event);
  }

  it("a dry run of five equal environments", async () => {
    await addFeature(burgee, { name: "five", project: "five", environments: equal(5), enabled: true });
    const path = variantsPath("five", { project: "five", query: "dryRun=true&by=name" });
    const event = eventOf({ method: "PATCH", path, json: otherSeed("tenant"), key: await read() });
    const dryRun = () => burgee.deliver("variants", event);

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json.environments[4].moves).toHaveLength(limits.listedMoves + 1);
  });

  it("a dry run of 30 strategies without variants of their own", async () => {
    const dryRun = await dryRunWithStrategies("many", weighted, otherSeed("tenant"));

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json.environments[0].moves).toHaveLength(30 * (limits.listedMoves + 1));
  });

  it("a dry run of 30 strategies, if one of 15,000 override values differs", async () => {
    const overrides = [{ contextName: "a", values: times(15_000, (index) => `u${index}`) }];
    const tenths = weighted.slice(0, 100).map((one) => ({ ...one, weight: 10 }));
    const overridden = tenths.map((one, index) => (index === 0 ? { ...one, overrides } : one));
    const patch = [replace("/v000/overrides/0/values/7", "other")];
    const dryRun = await dryRunWithStrategies("overridden", overridden, patch);

    expect(await processorMs(dryRun, most)).toBeLessThanOrEqual(most);
    expect((await dryRun()).json.environments[0].moves).toHaveLength(30);
  });

  it("the list of four changes", async () => {
    const project = "listed";
    await addFeature(burgee, {
      name: project,
      project,
      environments: { production: weighted },
      enabled: true,
    });
    for (const stickiness of ["a", "b", "c", "d"]) {
      await burgee.patchVariants(project, otherSeed(stickiness), { project, query: "by=name" });
    }
    const path = variantsPath(project, { project, below: "/changes" });
    const list = () => burgee.deliver("variants", eventOf({ method: "GET", path, key }));
    const key = await read();

    expect(await processorMs(list, most)).toBeLessThanOrEqual(most);
    expect((await list()).json.changes).toHaveLength(4);
  });
});
