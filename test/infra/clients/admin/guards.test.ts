/** `--guard` of changes, and `guard trip | list`: previewed, asked, and nothing older or newer is undone. */
import { expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { done, misused, refused, unconfirmed, useCommandLine } from "./command-line.ts";

const lists = { development: [variant("blue")], production: [variant("blue")] };
const line = await useCommandLine({
  projects: [projectOf("default", ...Object.keys(lists)), projectOf("other", "live")],
  features: [featureOf("checkout", lists, { enabled: true }), featureOf("search", lists, { enabled: true })],
});

const trip = "guard trip errors --environment production --project default";
const guarded = (feature: string, more = "") =>
  line.run(`feature off ${feature} --environment production --guard errors --yes ${more}`.trim());
const isOn = async (feature: string) => (await line.burgee.getFeature(feature)).json.environments[1].enabled;

it("lists what is under a guard, shows what a trip undoes, asks, and undoes it once", async () => {
  await guarded("checkout", "--for 5m");
  const [change] = (await line.json("feature history checkout")).changes;
  const history = await line.run("feature history checkout");
  const listed = await line.json("guard list");
  const { out } = await line.run("guard list --project default");
  const asked = await line.run(trip);
  const preview = await line.run(`${trip} --dry-run`);
  const tripped = await line.run(`${trip} --yes --reason`, "error rate");

  expect(history.out).toMatch(new RegExp(`^${change.id}  .+ by .+, under the guard "errors"\n`));
  expect(listed).toEqual([
    {
      guard: "errors",
      project: "default",
      environment: "production",
      feature: "checkout",
      change: change.id,
      by: expect.any(String),
      until: expect.any(String),
    },
  ]);
  const minutes = (Date.parse(listed[0].until) - Date.now()) / 60_000;
  expect([minutes > 4, minutes <= 5]).toEqual([true, true]);
  expect(out).toMatch(
    /^GUARD +PROJECT +ENVIRONMENT +FEATURE +CHANGE +BY +UNTIL\nerrors +default +production +checkout /,
  );
  expect(asked).toEqual(unconfirmed);
  expect(asked.err).toContain(`    checkout: would undo ${change.id}
        100 % of users in production get the feature
`);
  expect(preview.out).toContain(
    'Dry run, nothing was changed. Undo the changes under the guard "errors" in production:\n',
  );
  expect(tripped.out).toMatch(new RegExp(`^ {4}checkout: undone ${change.id}\n`));
  expect(await isOn("checkout")).toBe(true);
  const [undo] = (await line.json("feature history checkout")).changes;
  expect(undo).toMatchObject({ undoes: change.id, reason: "guard errors: error rate" });
  expect(await line.run(trip)).toEqual(done('No change is under the guard "errors" in production.\n'));
  expect(await line.run("guard list")).toEqual(done("A trip of a guard would undo nothing.\n"));
});

it("lists those of one environment, and refuses an unknown one", async () => {
  await guarded("checkout");
  await line.run("feature off search --environment development --guard errors --yes");

  const featuresIn = async (environment: string) => {
    const listed: { feature: string }[] = await line.json("guard list --environment", environment);
    return listed.map(({ feature }) => feature);
  };
  expect([await featuresIn("production"), await featuresIn("development"), await featuresIn("live")]).toEqual(
    [["checkout"], ["search"], []],
  );
  expect(await line.run("guard list --environment productoin")).toEqual(
    refused('there is no environment "productoin" in any project (did you mean "production"?)'),
  );
  expect(await line.run("guard list --environment production --project other")).toEqual(
    refused('there is no environment "production" in project "other"; known environments: live'),
  );
});

it("lists what a trip would undo also where more changes were made and undone since than a list has", async () => {
  await guarded("checkout");
  for (let pair = 0; pair < limits.listedChanges / 2; pair++) {
    await line.run("feature on checkout --environment production --yes");
    await line.run("feature undo checkout --environment production --yes");
  }

  const { out } = await line.run(`${trip} --dry-run`);
  const listed = await line.run("guard list");

  expect(out).toContain("    checkout: would undo ");
  expect(listed.out).toMatch(/\nerrors +default +production +checkout +older +unknown +2\S+Z\n$/);
  expect(await line.json("guard list")).toEqual([
    {
      ...{ guard: "errors", project: "default", environment: "production", feature: "checkout" },
      until: expect.any(String),
    },
  ]);
}, 20_000);

it("says that it lists no change while a later one is in effect", async () => {
  await guarded("checkout");
  await line.run("feature on checkout --environment production --yes");

  expect(await line.run("guard list")).toEqual(done("A trip of a guard would undo nothing.\n"));
  expect((await line.run("guard list --help")).out.replace(/\s+/g, " ")).toContain(
    "A change is not listed while a later one is in effect, because a trip does not undo it.",
  );
});

it("refuses to trip a guard in an environment that is not there", async () => {
  await guarded("checkout");

  for (const option of ["--yes", "--dry-run"]) {
    expect(await line.run(`guard trip errors --environment productoin --project default ${option}`)).toEqual(
      refused('there is no environment "productoin" in project "default" (did you mean "production"?)'),
    );
  }
});

it("leaves a later change alone, and says so", async () => {
  await guarded("checkout");
  await guarded("search");
  await line.run("feature rollout search 5 --environment production --yes");

  const [{ id: later }, { id: change }] = (await line.json("feature history search")).changes;
  const { code, out } = await line.run(`${trip} --yes`);

  expect(code).toBe(1);
  expect(out).toMatch(/^ {4}checkout: undone \S+\n/);
  expect(out).toContain(
    `    search: not undone ${change}: The feature was changed later by ${later}; undo that change first\n`,
  );
  expect([await isOn("checkout"), await isOn("search")]).toEqual([true, false]);
});

it("undoes the others where one cannot be undone, names it, and says how to undo it later", async () => {
  await guarded("checkout");
  await guarded("search");
  const item = await line.burgee.storedEnvironment("checkout", "production");
  await line.burgee.put({ ...item, audience: "not packed" } as never);

  const { code, err } = await line.run(`${trip} --yes`);
  await line.burgee.put(item);

  expect(code).toBe(1);
  expect(err).toContain(
    `to undo the rest, run: ${line.printed("guard trip errors --environment production --project default")}\n`,
  );
  expect(err).toContain('feature "checkout": internal error (incorrect header check); to undo');
  expect(err).toMatch(/\n {4}checkout: failed\n {4}search: undone\n$/);
  expect(await isOn("search")).toBe(true);
});

it("needs the project where there are several, a guard for --for, and no guard for an undo", async () => {
  expect(await line.run("guard trip errors --environment production")).toEqual(
    misused("give --project, one of: default, other"),
  );
  expect(await line.run("feature off checkout --all --for 5m")).toEqual(misused("--for needs --guard"));
  expect(await line.run("feature off checkout --all --guard errors --for 5d --yes")).toMatchObject({
    code: 2,
  });
  expect(await line.run("feature undo checkout --guard errors")).toMatchObject({ code: 2 });
});
