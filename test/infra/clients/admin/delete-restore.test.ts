/** `feature delete` and `feature restore`: who had it, what an interruption leaves, and what comes back. */
import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { scanTable } from "../../../../infra/store/read-table.ts";
import { isEnvironmentItem, isFeatureItem } from "../../../../lib/store/items/items.ts";
import { add, times } from "../../../support/patching.ts";
import { projectOf, tag, variant } from "../../../support/seed.ts";
import { hasTerminal, noTerminal } from "../../../support/terminal.ts";
import { letPass } from "../../../support/time.ts";
import { type Call, type Fate, isPutOfFeature } from "../../../support/wire.ts";
import { done, fileOf, refused, runAtTerminal, unconfirmed, useCommandLine } from "./command-line.ts";

const strategy = {
  id: "gradual",
  name: "flexibleRollout",
  parameters: { rollout: "25", stickiness: "userId", groupId: "checkout" },
  constraints: [{ contextName: "country", operator: "IN", values: ["CH", "AT"] }],
  variants: [],
};
const half = { weight: 500 };
const state = {
  projects: [projectOf("default", "development", "production"), projectOf("other", "live")],
  features: [
    {
      name: "checkout",
      project: "default",
      tags: [tag("q4")],
      environments: {
        development: {
          enabled: true,
          variants: [variant("blue", half), variant("green", half)],
          strategies: [strategy],
          dependencies: [{ feature: "parent", variants: ["a"] }],
        },
        production: { targeting: { targeting: { if: [true, "on", "off"] }, defaultVariant: "on" } },
      },
    },
  ],
};

const line = await useCommandLine(state);

const isDelete = ({ operation }: Call) => operation === "DeleteItem";
const denied = { error: "AccessDeniedException" };
const by = userInfo().username;

const shown = `feature "checkout" of project "default", tags: simple:q4
    development: on for 25 % by userId where country is CH, AT · depends on 1 feature; blue 50 %, green 50 %
    production: off (when on: whom flagd's own logic picks)
`;
const time = "2\\d{3}-\\S+Z";

/** What is in the feature's own partition. */
const left = async () => (await scanTable(line.burgee.session)).filter(({ pk }) => pk === "FEATURE#checkout");

it("delete shows who had it, deletes nothing with --dry-run, and asks", async () => {
  const before = await line.exported();

  expect(await line.run("feature delete checkout --dry-run")).toEqual(
    done(`${shown}Dry run, nothing was deleted.\n`),
  );
  expect(await line.json("feature delete checkout --dry-run")).toMatchObject({
    dryRun: true,
    name: "checkout",
    tags: [tag("q4")],
    environments: [{ environment: "development", enabled: true }, { environment: "production" }],
  });
  expect(await line.run("feature delete checkout")).toEqual({ ...unconfirmed, out: shown });
  expect(await line.exported()).toBe(before);
});

it("delete names the features that depend on it, which SDKs switch off", async () => {
  await line.run("feature create parent --project default");

  const { out } = await line.run("feature delete parent --dry-run");

  expect(out).toContain('Depends on it, and is off without it: "checkout" (development).\n');
  expect(await line.json("feature delete parent --dry-run")).toMatchObject({
    dependents: [{ feature: "checkout", environments: ["development"] }],
  });
});

it("restore brings back all of it as it was, for SDKs too", async () => {
  const before = await line.exported();
  const documentOf = async () => {
    const path = "/api/projects/default/environments/development/client/features";
    const key = await line.burgee.keyWith({
      permission: "CLIENT",
      project: "default",
      environment: "development",
    });
    return (await line.burgee.send({ method: "GET", path, key })).json.features;
  };
  const served = await documentOf();

  const { out } = await line.run("feature delete checkout --yes");

  expect(out).toMatch(
    new RegExp(`^Deleted the feature "checkout"; until ${time} "feature restore" brings it back\\.$`, "m"),
  );
  expect(await left()).toEqual([]);
  expect(await documentOf()).toEqual([]);
  expect(await line.run("feature restore checkout --dry-run")).toEqual(
    done(`${shown}Dry run, nothing was restored.\n`),
  );
  expect((await line.run("feature restore checkout")).err).toContain("run the command with --yes");
  expect(await line.run("feature restore checkout --yes")).toEqual(
    done(`${shown}Restored the feature "checkout".\n`),
  );
  expect(JSON.parse(await line.exported()).features).toEqual(JSON.parse(before).features);
  expect(await documentOf()).toEqual(served);
  const addRed = [add("/-", { name: "red", weight: 1 })];
  expect((await line.burgee.patchVariants("checkout", addRed)).status).toBe(200);
});

it("says why the list of changes of a restored feature is empty", async () => {
  await line.run("feature off checkout --environment development --yes");
  await line.run("feature delete checkout --yes");
  await line.run("feature restore checkout --yes");

  expect((await line.run("feature history checkout")).out).toBe(
    'The list of changes of "checkout" is empty: it has those of the last 30 days, since the feature was created or restored.\n',
  );
});

it("what apply --prune deletes can be restored too", async () => {
  const { projects } = state;
  expect(await line.apply({ projects, features: [] }, "--prune", "--yes")).toMatchObject({ code: 0 });

  expect(await line.run("feature restore checkout --yes")).toMatchObject({ code: 0 });

  expect((await line.json("feature show checkout")).tags).toEqual([tag("q4")]);
});

it("restore is refused where the name is taken again, and takes back the deletion that is named", async () => {
  const { deletion } = await line.json("feature delete checkout --yes");
  await line.run("feature create checkout --project other");

  expect(await line.run("feature restore checkout --yes")).toEqual(
    refused(
      `there is a feature "checkout" in project "other" again: delete it first, then restore the earlier one with --deletion ${deletion}`,
    ),
  );
  const second = await line.json("feature delete checkout --yes");
  const { err } = await line.run("feature restore checkout --dry-run");
  expect(err).toContain('"checkout" was deleted more than once');
  expect(err).toContain(`${second.deletion} (`);
  expect((await line.run("feature restore checkout --deletion none --yes")).err).toContain(`${deletion} (`);
  expect(await line.run("feature restore checkout --yes --deletion", deletion)).toMatchObject({ code: 0 });
  expect((await line.json("feature show checkout")).project).toBe("default");
  const again = await line.run("feature restore checkout --yes");
  expect(again.err).toMatch(
    new RegExp(`^burgee: the feature "checkout" is restored already: by ${by}, ${time}\n$`),
  );
});

it("restore refuses what was never deleted, and a project that is gone", async () => {
  expect(await line.run("feature restore checkout")).toEqual(
    refused('there is a feature "checkout" in project "default"; it was not deleted in the last 30 days'),
  );
  expect(await line.run("feature restore none")).toEqual(
    refused('no feature "none" was deleted in the last 30 days; "history" lists those that were'),
  );
  await line.run("feature delete checkout --yes");
  await line.apply({ projects: [projectOf("other", "live")], features: [] }, "--prune", "--yes");
  expect(await line.run("feature restore checkout --yes")).toEqual(
    refused('there is no project "default" any more: make it first (`project put`)'),
  );
});

it("restore gives the feature the environments that its project has by then", async () => {
  await line.run("feature delete checkout --yes");
  await line.run("project put default staging development");

  const { out, err } = await line.run("feature restore checkout --yes");

  expect(err).toBe('Left out, as project "default" has them no more: production\n');
  expect(out).toContain("    staging: off\n    development: on for 25 %");
});

it("restore ends 30 days after the deletion", async () => {
  await line.run("feature delete checkout --yes");
  const items = (await scanTable(line.burgee.session)).filter(({ pk }) => pk.startsWith("DELETED#"));
  expect(items.length).toBe(3);
  for (const item of items) {
    const { ttl } = item as unknown as { ttl: number };
    expect(ttl - Date.now() / 1000).toBeGreaterThan(29.9 * 86_400);
    await line.burgee.put({ ...item, ttl: ttl - 31 * 86_400 } as never);
  }

  expect((await line.run("feature restore checkout --yes")).err).toContain("was deleted in the last 30 days");
});

it.each([1, 2, 3])(
  "delete that is interrupted at its deletion %i is completed when it is run again",
  async (count) => {
    const before = JSON.parse(await line.exported()).features;
    let deletes = 0;
    line.burgee.wire.decide((call) => (isDelete(call) && ++deletes >= count ? denied : "pass"));
    expect(await line.run("feature delete checkout --yes")).toMatchObject({ code: 1 });
    line.burgee.wire.reset();
    // Before the feature is gone, it is there with all that it has.
    if (count === 1) expect(JSON.parse(await line.exported()).features).toEqual(before);
    // What is left does not look like a creation that still runs.
    letPass(6);

    const { code, out } = await line.run("feature delete checkout --yes");

    expect(code).toBe(0);
    if (count > 1) {
      expect(out).toBe('The feature "checkout" was gone; deleted what an interrupted command left of it.\n');
    }
    expect(await left()).toEqual([]);
    expect(await line.run("feature restore checkout --yes")).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(await line.exported()).features).toEqual(before);
  },
);

it("delete, restore and create print the response of the API with --json", async () => {
  const deleted = await line.json("feature delete checkout --yes");
  const restored = await line.json("feature restore checkout --yes");

  expect(deleted).toEqual({ deletion: expect.any(String), restorableUntil: expect.any(String) });
  expect(restored).toMatchObject({ version: 1, name: "checkout", tags: [tag("q4")] });
  expect(restored).toEqual(await line.json("feature show checkout"));
  const created = await line.json("feature create banner --project default");
  expect(created).toEqual(await line.json("feature show banner"));
});

it("delete that completes an interrupted deletion prints that deletion with --json", async () => {
  let deletes = 0;
  line.burgee.wire.decide((call) => (isDelete(call) && ++deletes > 1 ? denied : "pass"));
  await line.run("feature delete checkout --yes");
  line.burgee.wire.reset();
  letPass(6);

  const completed = await line.json("feature delete checkout --yes");

  const { records } = await line.json("history");
  const { id, restorableUntil } = records[0];
  expect(completed).toEqual({ deletion: id, restorableUntil });
});

it("restore completes a deletion that was interrupted, and itself when it is run again", async () => {
  const before = JSON.parse(await line.exported()).features;
  let deletes = 0;
  line.burgee.wire.decide((call) => (isDelete(call) && ++deletes > 1 ? denied : "pass"));
  await line.run("feature delete checkout --yes");
  line.burgee.wire.reset();
  letPass(6);
  line.burgee.wire.decide((call) => (isPutOfFeature(call) ? denied : "pass"));
  expect(await line.run("feature restore checkout --yes")).toMatchObject({ code: 1 });
  line.burgee.wire.reset();
  expect((await left()).some(isFeatureItem)).toBe(false);
  expect((await left()).filter(isEnvironmentItem)).toHaveLength(2);
  letPass(6);

  expect(await line.run("feature restore checkout --yes")).toMatchObject({ code: 0 });

  expect(JSON.parse(await line.exported()).features).toEqual(before);
});

it("a patch that is acknowledged while the feature is being deleted comes back with it", async () => {
  const { wire } = line.burgee;
  const isOfEnvironment = (call: Call) =>
    isDelete(call) && JSON.stringify(call.input).includes("ENVIRONMENT#production");
  // The patch reads the feature before the deletion, and writes when the feature's item is gone.
  let isGoing = () => {};
  const going = new Promise<void>((resolve) => {
    isGoing = resolve;
  });
  const isSent = () => wire.calls.some(({ operation }) => operation === "UpdateItem");
  let patched: Promise<unknown> = Promise.resolve();
  wire.decide(async (call): Promise<Fate> => {
    if (call.operation === "UpdateItem") await going;
    if (isOfEnvironment(call)) {
      isGoing();
      await patched;
    }
    return "pass";
  });
  const environment = "production";
  patched = line.burgee.patchVariants("checkout", [add("/-", { name: "late", weight: 1 })], { environment });
  await expect.poll(isSent).toBe(true);

  expect(await line.run("feature delete checkout --yes")).toMatchObject({ code: 0 });

  expect(await patched).toMatchObject({ status: 200 });
  wire.reset();
  await line.run("feature restore checkout --yes");
  expect(await line.burgee.names("checkout", environment)).toEqual(["late"]);
});

it("a patch that is acknowledged after a deletion was interrupted comes back though apply has created the feature since", async () => {
  const { wire } = line.burgee;
  let isFirst = true;
  wire.decide(async (call): Promise<Fate> => {
    if (isDelete(call) && JSON.stringify(call.input).includes("ENVIRONMENT#")) return denied;
    if (!isFirst || call.operation !== "UpdateItem") return "pass";
    isFirst = false;
    expect(await line.run("feature delete checkout --yes")).toMatchObject({ code: 1 });
    return "pass";
  });
  const patch = [add("/-", { name: "late", weight: 0 })];
  const place = { environment: "development" };
  expect(await line.burgee.patchVariants("checkout", patch, place)).toMatchObject({ status: 200 });
  wire.reset();
  const { records } = await line.json("history");

  expect(await line.run("apply", fileOf(state))).toMatchObject({ code: 0 });

  await line.run("feature delete checkout --yes");
  await line.run(`feature restore checkout --yes --deletion ${records[0].id}`);
  expect(await line.burgee.names("checkout")).toEqual(["blue", "green", "late"]);
});

it("delete with --yes takes what is there by then", async () => {
  line.burgee.wire.beforeFirst(isDelete, () =>
    line.burgee.putTags("checkout", { addedTags: [tag("late")], removedTags: [] }),
  );

  expect(await line.run("feature delete checkout --yes")).toMatchObject({ code: 0 });

  await line.run("feature restore checkout --yes");
  expect((await line.burgee.getTags("checkout")).json.tags).toEqual([tag("late"), tag("q4")]);
});

it("delete is refused where the feature has changed since it was shown", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  const typed = `node dist/tools/admin.mjs ${line.at().join(" ")} feature delete checkout`;

  const { shown, code } = await runAtTerminal(typed, async () => {
    await line.run("feature on checkout --environment production --yes");
    return "y\r";
  });

  expect(shown).toContain("    production: off");
  expect(shown).toContain("burgee: another change was made at the same time; run the command again");
  expect(code).toBe(1);
  expect(await line.run("feature show checkout")).toMatchObject({ code: 0 });
});

it("a feature with more environments than a batch or a page has is deleted and restored", async () => {
  const names = times(30, (index) => `environment-${index}`);
  const payload = { type: "string", value: "x".repeat(180_000) };
  const environments = Object.fromEntries(
    names.map((name) => [name, { enabled: true, variants: [variant("large", { payload })] }]),
  );
  const projects = [projectOf("many", ...names)];
  const features = [{ name: "large", project: "many", environments }];
  expect(await line.run("apply", fileOf({ projects, features }))).toMatchObject({ code: 0 });

  expect(await line.run("feature delete large --yes")).toMatchObject({ code: 0 });
  expect(await line.run("feature restore large --yes")).toMatchObject({ code: 0 });

  for (const environment of names) {
    const { enabled, variants } = await line.burgee.storedEnvironment("large", environment);
    expect([enabled, variants]).toEqual([true, [variant("large", { payload })]]);
  }
});
