/** `feature on | off`: previewed, asked, made as shown, listed and taken back; and the switch in what commands print. */
import { expect, it } from "vitest";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { done, misused, refused, unconfirmed, useCommandLine } from "./command-line.ts";

const lists = { development: [variant("blue")], production: [variant("blue")] };
const line = await useCommandLine({
  projects: [projectOf("default", ...Object.keys(lists)), projectOf("new")],
  features: [featureOf("checkout", lists), featureOf("search", {}, { project: "new" })],
});

const turn = (to: string, ...given: string[]) => line.run(`feature ${to} checkout`, ...given);
const isOn = async () =>
  (await line.json("feature show checkout")).environments.map(({ enabled }: { enabled: boolean }) => enabled);

it("switches one environment or all, and says so in history, which undo takes back", async () => {
  const { code, out } = await turn("on", "--environment", "production", "--yes", "--reason", "launch");
  const [change] = (await line.json("feature history checkout")).changes;
  const one = await isOn();
  await turn("on", "--all", "--yes");
  const all = await isOn();

  expect({ code, out }).toEqual({
    code: 0,
    out: `Switched "checkout" on in production: the change ${change.id}.\n`,
  });
  expect([one, all]).toEqual([
    [false, true],
    [true, true],
  ]);
  const { out: history } = await line.run("feature history checkout");
  const moved = (environment: string) => `100 % of users in ${environment} get the feature`;
  expect(history).toContain(`    development: on; ${moved("development")} (can be undone)\n`);
  expect(history).toMatch(
    new RegExp(
      `\n${change.id} +\\S+ by .+: launch\n    production: on; ${moved("production")} \\(can be undone\\)\n`,
    ),
  );
  await line.run("feature undo checkout --yes");
  await line.run("feature undo checkout --yes");
  expect(await isOn()).toEqual([false, false]);
  const { variants } = await line.burgee.storedEnvironment("checkout", "production");
  expect(variants).toEqual(lists.production);
});

it("shows what it will do and asks; a dry run writes nothing; what is so already is not written", async () => {
  line.burgee.wire.reset();
  const asked = await turn("on", "--all");
  const preview = await turn("on", "--all", "--dry-run");
  const already = await turn("off", "--all");

  expect(asked).toEqual(unconfirmed);
  const shown = `    development: on\n        100 % of users in development get the feature\n    production: on\n        100 % of users in production get the feature\n`;
  expect(asked.err).toContain(shown);
  expect(preview.out).toBe(
    `Dry run, nothing was changed. Switch "checkout" on in every environment:\n${shown}`,
  );
  expect(already.out).toBe('"checkout" is already off in every environment.\n');
  expect(line.writes()).toEqual([]);
});

it.each(["on", "rollout 25"])("says of `feature %s` that a feature has no environments", async (words) => {
  const [command = "", ...values] = words.split(" ");

  expect(await line.run(`feature ${command} search`, ...values, "--all", "--yes")).toEqual(
    done('"search" has no environments, so there is nothing to change.\n'),
  );
});

it("prints the body of the API's error with --json", async () => {
  const wrong = JSON.stringify([{ op: "remove", path: "/variants/none" }]);
  const { code, out, err } = await line.run("--json feature patch checkout", wrong, "--all", "--yes");

  expect([code, err]).toEqual([1, expect.stringMatching(/^burgee: /)]);
  expect(JSON.parse(out)).toMatchObject({
    ...{ id: expect.any(String), name: "ValidationError", message: expect.any(String) },
    details: [{ environment: "development" }, { environment: "production" }],
  });
});

it("prints what the API responds with --json", async () => {
  const dryRun = await line.json("feature on checkout --environment production --dry-run");

  const difference = [{ op: "replace", path: "/enabled", value: true }];
  expect(dryRun).toMatchObject({ version: 1, environments: [{ environment: "production", difference }] });
  expect(await line.json("feature on checkout --all --yes")).toEqual({
    version: 1,
    environments: [
      { environment: "development", enabled: true },
      { environment: "production", enabled: true },
    ],
  });
});

it("needs an environment or --all, and a feature and an environment that exist", async () => {
  expect([await turn("on"), await turn("off", "--all", "--environment", "production")]).toEqual([
    misused("give --environment or --all"),
    misused("give --environment or --all, not both"),
  ]);
  expect(await line.run("feature on chekout --all")).toEqual(
    refused('there is no feature "chekout" (did you mean "checkout"?)'),
  );
  expect(await turn("on", "--environment", "productoin")).toEqual(
    refused('the feature "checkout" has no environment "productoin" (did you mean "production"?)'),
  );
});

it("list and show say where a feature is on, and an export and an import elsewhere keep it", async () => {
  await turn("on", "--environment", "production", "--yes");

  expect((await line.run("feature list")).out).toContain(
    "development off, 1 variant; production on for everyone, 1 variant",
  );
  const { out } = await line.run("feature show checkout");
  expect(out).toMatch(/\ndevelopment: off\n[\s\S]+\nproduction: on for everyone \(changed 2\S+ by .+\)\n/);
  const exported = JSON.parse(await line.exported());
  expect(exported.features[0].environments).toMatchObject({
    development: { enabled: false },
    production: { enabled: true },
  });
  await turn("off", "--all", "--yes");
  const drift = await line.apply(exported, "--dry-run", "--exit-code");
  expect(drift.code).toBe(3);
  expect(drift.out).toContain("    ~ environments/production/enabled: false -> true\n");
});
