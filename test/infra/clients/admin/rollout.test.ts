/** `feature rollout`, `feature patch` and `feature promote`: previewed, conditional, one change, taken back by undo. */
import { expect, it } from "vitest";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { done, fileOf, misused, refused, unconfirmed, useCommandLine } from "./command-line.ts";

const rollout = (id: string, percent: string, rest: object = {}) => ({
  id,
  name: "flexibleRollout",
  parameters: { rollout: percent, stickiness: "userId", groupId: "checkout" },
  ...rest,
});
const beta = { contextName: "plan", operator: "IN", values: ["beta", "staff"] };
const on = (strategies: object[], names = ["blue"]) => ({
  enabled: true,
  variants: names.map((name) => variant(name, { weight: 1000 / names.length })),
  strategies,
});
const line = await useCommandLine({
  projects: [projectOf("default", "development", "production")],
  features: [
    {
      name: "checkout",
      project: "default",
      environments: {
        development: on([rollout("gradual", "50", { constraints: [beta] })], ["blue", "red"]),
        production: on([]),
      },
    },
    {
      name: "search",
      project: "default",
      environments: {
        development: on([
          rollout("one", "10", { title: "all", sortOrder: 0 }),
          rollout("two", "20", { constraints: [beta], sortOrder: 1 }),
        ]),
        production: on([{ id: "all", name: "default" }]),
      },
    },
    featureOf("fresh", { development: [], production: [] }),
    featureOf("dark", { development: [variant("blue")], production: [variant("blue")] }),
  ],
});

const inProduction = async (feature = "checkout") =>
  (await line.burgee.getFeature(feature)).json.environments[1];
const changes = async (feature = "checkout") => (await line.json(`feature history ${feature}`)).changes;

it("lists for whom each is on", async () => {
  const { out } = await line.run("feature list");

  expect(out).toContain(
    "development on for 50 % by userId · 1 constraint, 2 variants; production on for everyone, 1 variant",
  );
  expect(out).toContain("development on for 2 strategies, 1 variant; production on for everyone, 1 variant");
  expect(out).toContain("development off, 1 variant; production off, 1 variant");
});

it("adds a rollout where everyone gets it, changes it then, and undo goes back", async () => {
  const asked = await line.run("feature rollout checkout 25 --environment production");
  const { out } = await line.run(
    "feature rollout checkout 25 --environment production --yes --reason careful",
  );

  expect(asked).toEqual(unconfirmed);
  expect(asked.err).toContain('    production: add strategy "rollout": 25 %\n');
  const [change] = await changes();
  expect(out).toBe(`Rolled "checkout" out to 25 % in production: the change ${change.id}.\n`);
  expect(change).toMatchObject({ reason: "careful" });
  expect((await inProduction()).strategies).toMatchObject([
    { id: "rollout", parameters: { rollout: "25", stickiness: "default", groupId: "checkout" } },
  ]);
  expect((await line.run("feature show checkout")).out).toContain("\nproduction: on for 25 % (changed ");

  const more = await line.run("feature rollout checkout 50 --environment production --yes");
  expect(more.out).toMatch(/^Rolled "checkout" out to 50 % in production/);
  expect((await inProduction()).strategies[0].parameters.rollout).toBe("50");
  expect(await line.run("feature rollout checkout 50 --environment production")).toEqual(
    done('The rollout of "checkout" is 50 % already.\n'),
  );
  await line.run("feature undo checkout --yes");
  await line.run("feature undo checkout --yes");
  expect((await inProduction()).strategies).toEqual([]);
});

it("changes the one rollout that there is, and keeps its conditions", async () => {
  const { out } = await line.run("feature rollout checkout 75 --environment development --dry-run");

  expect(
    out,
  ).toContain(`Dry run, nothing was changed. Roll "checkout" out to 75 % by strategy "gradual" in development:
    development: roll out to 75 % by strategy "gradual" (was 50 %)
`);
  expect((await line.run("feature show checkout")).out).toContain(
    "\ndevelopment: on for 50 % by userId where plan is beta, staff\n",
  );
});

it("names the rollouts where several could be meant, and changes the one that is named", async () => {
  const several = "development has several rollouts: name one with --strategy";
  expect(await line.run("feature rollout search 5 --environment development --yes")).toEqual(
    refused(`${several}\n    one: 10 % by userId (all)\n    two: 20 % by userId where plan is beta, staff`),
  );
  expect(await line.run("feature rollout search 5 --environment production --yes")).toEqual(
    refused(
      'production has strategies, but no rollout that is in effect: change them with "feature patch", or name one with --strategy\n    all: everyone',
    ),
  );
  expect(await line.run("feature rollout search 5 --environment production --strategy all")).toEqual(
    refused('strategy "all" in production is "default", which has no rollout'),
  );
  expect(await line.run("feature rollout search 5 --environment development --strategy twoo")).toEqual(
    refused('there is no strategy "twoo" in development (did you mean "two"?)'),
  );

  const { code } = await line.run("feature rollout search 5 --environment development --strategy two --yes");

  expect(code).toBe(0);
  const [development] = (await line.burgee.getFeature("search")).json.environments;
  const shares = development.strategies.map(
    ({ parameters }: { parameters: { rollout: string } }) => parameters.rollout,
  );
  expect(shares).toEqual(["10", "5"]);
  expect((await line.run("feature show search")).out).toContain(
    `development: on for those whom one of 2 strategies matches (changed`,
  );
});

it("says that no user gets a feature that is off, whatever its rollout", async () => {
  const { err } = await line.run("feature rollout dark 25 --environment production --yes");

  expect(err).toContain(
    `"dark" is off in production, so no user gets it; to switch it on, run: ${line.printed("feature on dark --environment production")}\n`,
  );
});

it("says that a disabled strategy gives the feature to no user, whatever its rollout", async () => {
  const features = [
    {
      name: "halted",
      project: "default",
      environments: { production: on([rollout("gone", "5", { disabled: true })]) },
    },
  ];
  await line.burgee.store({ projects: [projectOf("default", "development", "production")], features });

  const { err } = await line.run("feature rollout halted 25 --environment production --strategy gone --yes");

  expect(err).toContain('The strategy "gone" is disabled, so it gives the feature to no user\n');
});

it("rolls out in every environment, where only some have the rollout that it adds", async () => {
  await line.run("feature rollout fresh 0 --environment production --yes");

  const all = await line.run("feature rollout fresh 10 --all --yes");

  expect([all.code, all.out]).toEqual([
    0,
    expect.stringMatching(/^Rolled "fresh" out to 10 % in development, production: the change \S+\.\n$/),
  ]);
  const { environments } = (await line.burgee.getFeature("fresh")).json;
  const shares = environments.map((one: { strategies: object[] }) => one.strategies);
  const ten = { id: "rollout", parameters: { rollout: "10", stickiness: "default", groupId: "fresh" } };
  expect(shares).toMatchObject([[ten], [ten]]);
});

it("rolls out in every environment by one change, if it is the same strategy in each", async () => {
  const added = await line.run("feature rollout dark 30 --all --yes");
  const raised = await line.run("feature rollout dark 60 --all --yes");

  expect([added.code, raised.code]).toEqual([0, 0]);
  expect(raised.out).toMatch(/^Rolled "dark" out to 60 % in development, production: the change \S+\.\n$/);
  expect((await changes("dark"))[0].environments).toHaveLength(2);
  await line.run("feature undo dark --yes");
  expect((await inProduction("dark")).strategies).toMatchObject([{ parameters: { rollout: "30" } }]);
  expect(await line.run("feature rollout checkout 30 --all")).toEqual(
    refused(`the rollout is not the same strategy in every environment: give --environment
    development: gradual
    production: no strategy`),
  );
  expect(await line.run("feature rollout dark 30")).toEqual(misused("give --environment or --all"));
});

it("with --all it does not move the rollout behind another strategy", async () => {
  const feature = "ordered";
  const added = rollout("rollout", "5", { sortOrder: 0 });
  const parameters = { rollout: "5", stickiness: "default", groupId: feature };
  const strategies = [
    { ...added, parameters },
    { id: "all", name: "default", sortOrder: 1, variants: [variant("red")] },
  ];
  const environments = { development: on(strategies), production: on([]) };
  await line.burgee.store({
    projects: [projectOf("default", "development", "production")],
    features: [{ name: feature, project: "default", environments }],
  });

  expect(await line.run(`feature rollout ${feature} 10 --all --yes`)).toEqual(
    refused(`the rollout is not the same strategy in every environment: give --environment
    development: rollout
    production: no strategy`),
  );
});

it("with --all it is refused, with --yes too, where an environment has changed since it was shown", async () => {
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => line.burgee.switch("dark", "on", { environment: "development" }),
  );

  const { code, err } = await line.run("feature rollout dark 30 --all --yes");

  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /\nburgee: "dark" was changed concurrently, and nothing was written; to try again, run: .+ dark 30 --all\n/,
    ),
  ]);
});

it("with --all it does not replace a strategy that was added while it looked", async () => {
  const { strategies } = on([rollout("rollout", "5", { constraints: [beta] })]);
  const [{ id, ...value }] = strategies as [{ id: string }];
  let reads = 0;
  line.burgee.wire.beforeFirst(
    // The look-up reads the feature first, then the dry run.
    ({ input }) => JSON.stringify(input).includes("dark") && ++reads === 2,
    () =>
      line.burgee.patchFeature("dark", [{ op: "add", path: `/strategies/${id}`, value }], {
        environment: "production",
      }),
  );

  const { code, out, err } = await line.run("feature rollout dark 30 --all --yes");

  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain('burgee: "dark" was changed concurrently, and nothing was written; to try again');
  expect((await inProduction("dark")).strategies).toMatchObject([
    { id, parameters: { rollout: "5" }, constraints: [beta] },
  ]);
});

it("says who gets it once it is on, while it is off", async () => {
  await line.run("feature rollout dark 25 --environment production --yes");

  const { out } = await line.run("feature list");
  expect(out).toContain("development off, 1 variant; production off (when on: 25 %), 1 variant\n");
  expect((await line.run("feature show dark")).out).toContain("\nproduction: off (when on: 25 %) (changed ");
  expect((await line.run("feature delete dark --dry-run")).out).toContain(
    "    production: off (when on: 25 %); blue 100 %\n",
  );
});

it.each(["-1", "101", "2.5", "ten", ""])("refuses a rollout of %j percent", async (percent) => {
  const { code, err } = await line.run("feature rollout checkout --environment production --", percent);

  expect([code, err]).toEqual([2, expect.stringContaining("It must be a whole number from 0 to 100.")]);
});

it("is refused, with --yes too, where what it was made up from has changed since", async () => {
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => line.burgee.switch("checkout", "off", { environment: "production" }),
  );

  const given = "feature rollout checkout 25 --environment production --most-moves 1";
  const { code, out, err } = await line.run(`${given} --yes`);

  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain(
    `\nburgee: "checkout" was changed concurrently, and nothing was written; to try again, run: ${line.printed(given)}\n`,
  );
});

it("patches from a file or as typed, in one environment or all", async () => {
  const add = [{ op: "add", path: "/variants/green", value: { weight: 0 } }];
  const file = fileOf(add);

  const { out } = await line.run("feature patch checkout", file, "--environment", "production", "--yes");
  const typed = await line.run("feature patch checkout", JSON.stringify(add), "--all", "--dry-run");

  expect(out).toMatch(/^Patched "checkout" in production: the change \S+\.\n$/);
  expect(typed.out).toMatch(/development: replace \/variants\/blue\/weight 334 .*add \/variants\/green \{/);
  expect(typed.out).not.toContain("production");
  expect(await line.run("feature patch checkout [] --all")).toEqual(
    done('The patch changes nothing of "checkout".\n'),
  );
  expect(
    await line.run('feature patch checkout [{"op":"remove","path":"/variants/none"}] --all --yes'),
  ).toEqual({
    code: 1,
    out: "",
    err: expect.stringContaining('operation 0 (remove /variants/none): there is no member "none"'),
  });
  expect(await line.run("feature patch checkout [x --all")).toMatchObject({ code: 1 });
  expect(await line.run("feature patch checkout []")).toEqual(misused("give --environment or --all"));
});

it("refuses a number that would be sent as null", async () => {
  const hot = '[{"op":"add","path":"/targeting","value":{"targeting":{">":[{"var":"age"},1e999]}}}]';

  expect(await line.run("feature patch checkout", hot, "--all", "--yes")).toEqual(
    refused("the patch is not valid: /0/value/targeting/>/1 is too large for a number"),
  );
});

it.each([
  ["remove", "/variants/bleu", "blue"],
  ["replace", "/variants/bleu/weight", "blue"],
  ["replace", "/strategies/gradul/title", "gradual"],
  ["remove", "/variant/blue", "variants"],
  ["remove", "/strategies/gradual/parameters/rolout", "rollout"],
])("suggests a member where a patch cannot %s %s", async (op, path, meant) => {
  const patch = JSON.stringify([{ op, path, value: 3 }]);
  const given = ["feature patch checkout", patch, "--environment", "development"];

  const results = [await line.run(...given, "--dry-run"), await line.run(...given, "--yes")];

  for (const { code, err } of results) {
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(
        `: there is no member "\\w+" \\(did you mean "${meant}"\\?\\)[^\\n]*\n {4}development: failed\n$`,
      ),
    );
  }
});

it("sends what the list of changes has of a change again as a patch", async () => {
  await line.run("feature rollout checkout 25 --environment production --yes");
  const [{ environments }] = await changes();
  await line.run("feature undo checkout --yes");

  const { patch, difference = patch } = environments[0];
  await line.run(
    "feature patch checkout",
    JSON.stringify(difference),
    "--environment",
    "production",
    "--yes",
  );

  expect((await inProduction()).strategies).toMatchObject([{ id: "rollout" }]);
});

it("promotes all of an environment, or what is named, as one change that undo takes back", async () => {
  const before = await inProduction();
  const promote = "feature promote checkout --from development --to production";
  const preview = await line.run(`${promote} --dry-run`);
  const { out } = await line.run(`${promote} --only variants --yes`);
  const variants = await inProduction();
  await line.run(`${promote} --yes`);
  const all = await inProduction();

  expect(preview.out).toMatch(
    /^Dry run, nothing was changed\. Copy all settings of "checkout" from development to production:\n {4}production: .*add \/variants\/red .*add strategy "gradual": 50 % by userId where /,
  );
  expect(out).toMatch(
    /^Copied the variants of "checkout" from development to production: the change \S+\.\n$/,
  );
  expect([variants.variants.length, variants.strategies]).toEqual([2, []]);
  const [development] = (await line.burgee.getFeature("checkout")).json.environments;
  const { environment: _, etag: __, ...content } = development;
  expect(all).toMatchObject(content);
  expect(await line.run(promote)).toEqual(
    done('In production, "checkout" already has all settings of development.\n'),
  );
  const listed = await changes();
  expect(listed.map(({ reason }: { reason: string }) => reason)).toEqual(
    Array(2).fill("promoted from development"),
  );
  await line.run("feature undo checkout --yes");
  await line.run("feature undo checkout --yes");
  expect({ ...(await inProduction()), etag: "" }).toEqual({ ...before, etag: "" });
});

it("names what --only copies: in the question, where there is nothing to copy, and in the advice to try again", async () => {
  const promote = "feature promote checkout --from development --to production --only";
  const asked = await line.run(`${promote} variants,enabled`);
  await line.run(`${promote} variants --yes`);
  const again = await line.run(`${promote} variants --yes`);
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => line.burgee.switch("checkout", "off", { environment: "production" }),
  );
  const options = "--project default --reason why --guard errors --for 5m";
  const { err } = await line.run(`${promote} strategies ${options} --yes`);

  // What is the same already is not copied; it is asked about what --only names.
  expect(asked.err).toContain('Copy the switch and variants of "checkout" from development to production?');
  expect(again).toEqual(done('In production, "checkout" already has the variants of development.\n'));
  expect(err).toContain(
    `burgee: "checkout" was changed concurrently, and nothing was written; to try again, run: ${line.printed(`${promote} strategies ${options}`)}\n`,
  );
});

it("keeps --strategy in the advice to try a rollout again", async () => {
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => line.burgee.switch("search", "off", { environment: "development" }),
  );

  const given = "feature rollout search 5 --environment development --strategy two --most-moves 1";
  const { err } = await line.run(`${given} --yes`);

  expect(err).toContain(`run: ${line.printed(given)}\n`);
});

it("says of a patch that is neither one nor a file what it must be", async () => {
  expect(await line.run("feature patch checkout {oops --all")).toEqual(
    refused('there is no file "{oops"; a patch that is not in a file starts with "["'),
  );
});

it("lists the environments where none is near the one that was typed", async () => {
  expect(await line.run("feature off checkout --environment prod")).toEqual(
    refused('the feature "checkout" has no environment "prod"; it has development and production'),
  );
});

it("promotes a switch that is off too, after it has shown it", async () => {
  await line.run("feature off checkout --environment development --yes");

  const asked = await line.run("feature promote checkout --from development --to production --only enabled");

  expect(asked).toEqual(unconfirmed);
  expect(asked.err).toContain("    production: off\n");
});

it.each([
  ["--from development --to development", misused("--from and --to are the same environment")],
  [
    "--from developmnet --to production",
    refused('the feature "checkout" has no environment "developmnet" (did you mean "development"?)'),
  ],
  ["--from development --to production --only tags", expect.objectContaining({ code: 2 })],
  ["--from development", expect.objectContaining({ code: 2 })],
])("refuses to promote %s", async (options, result) => {
  expect(await line.run(`feature promote checkout ${options}`)).toEqual(result);
});

const warning =
  'production: the variants of strategy "gradual" get another order than in development: other users get them\n';
it.each([
  ["keeps the order of a strategy's variants, by which SDKs choose", ["z", "a"], ["z", "a"], false],
  ["warns where names are whole numbers: these stand first", ["z", "1"], ["1", "z"], true],
  ["does not warn of a number with a leading zero, which keeps its place", ["z", "01"], ["z", "01"], false],
])("%s", async (_, names, stored, isWarned) => {
  const ordered = (names: string[]) => [
    rollout("gradual", "50", { variants: names.map((name) => ({ name, weight: 500 })) }),
  ];
  await line.burgee.store({
    projects: [projectOf("default", "development", "production")],
    features: [
      {
        name: "order",
        project: "default",
        environments: { development: on(ordered(names)), production: on([]) },
      },
    ],
  });

  const { err } = await line.run("feature promote order --from development --to production --yes");

  expect(err.startsWith(warning)).toBe(isWarned);
  const { environments } = (await line.burgee.getFeature("order")).json;
  expect(environments[1].strategies[0].variants.map(({ name }: { name: string }) => name)).toEqual(stored);
});

it("changes nothing where more users would move than --most-moves allows", async () => {
  const rollOut = "feature rollout checkout 75 --environment production --yes";
  const { code, err } = await line.run(`${rollOut} --most-moves 0.2`);

  expect(code).toBe(1);
  const refusal =
    /\nburgee: environment "production": .+ more than the 20 % that --most-moves allows: .+\n {4}production: failed\n$/;
  expect(`\n${err}`).toMatch(refusal);
  expect(`\n${(await line.run(`${rollOut} --most-moves 0.2 --dry-run`)).err}`).toMatch(refusal);
  expect(await changes()).toEqual([]);
  expect(await line.run(`${rollOut} --most-moves 0.25`)).toMatchObject({ code: 0 });
  expect(await line.run(`${rollOut} --most-moves 20`)).toMatchObject({ code: 2 });
});

it("shows what strategies, parents and flagd's targeting decide, in words", async () => {
  const constraint = (operator: string, more: object) => ({ contextName: "age", operator, ...more });
  await line.burgee.store({
    projects: [projectOf("default", "development", "production")],
    features: [
      {
        name: "words",
        project: "default",
        environments: {
          development: {
            ...on([
              { id: "ids", name: "userWithId", parameters: { userIds: "a, b,c,d,e" }, sortOrder: 0 },
              rollout("half", "50", {
                disabled: true,
                sortOrder: 1,
                constraints: [
                  constraint("NUM_GTE", { value: "18" }),
                  constraint("IN", { values: ["1"], inverted: true }),
                ],
                variants: [{ name: "z", weight: 1000 }],
              }),
              { id: "ours", name: "ours", sortOrder: 2 },
            ]),
            dependencies: [{ feature: "checkout", variants: ["blue", "red"] }],
          },
          production: { ...on([rollout("all", "100")]), targeting: { defaultVariant: "blue" } },
        },
      },
    ],
  });

  const { out } = await line.run("feature show words");

  expect(out).toContain(`
development: on for those whom one of 2 strategies matches
    ids: the users a, b, c and 2 more
    half: 50 % by userId where age ≥ 18 and not (age is 1) with z 100 % (disabled)
    ours: whom "ours" matches
    only where "checkout" is on with blue or red
`);
  const byLogic = "production: on for 100 % by userId · in flagd, whom its own logic picks";
  expect(out).toContain(`\n${byLogic}`);
  expect((await line.run("feature list --project default")).out).toContain(
    `development on for 2 strategies · depends on 1 feature, 1 variant; ${byLogic.replace(":", "")}, 1 variant\n`,
  );
});
