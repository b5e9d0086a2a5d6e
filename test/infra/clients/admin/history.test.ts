/** `feature history` and `feature undo`, of changes by callers of the API and by operators. */
import { userInfo } from "node:os";
import { beforeEach, expect, it } from "vitest";
import { readTable } from "../../../../infra/store/read-table.ts";
import { changeTableKey, type TableKey } from "../../../../lib/store/items/items.ts";
import { add, replaced, times } from "../../../support/patching.ts";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { hasTerminal, noTerminal } from "../../../support/terminal.ts";
import type { Call } from "../../../support/wire.ts";
import {
  done,
  fileOf,
  isScanOfAll,
  misused,
  refused,
  runAtTerminal,
  unconfirmed,
  useCommandLine,
} from "./command-line.ts";

const environments = ["development", "production"];
const projects = [projectOf("default", ...environments)];
const blue = variant("blue");
const addRed = [add("/-", { name: "red", weight: 1 })];
const stick = (to: string) => [add("/0/stickiness", to)];

const line = await useCommandLine({ projects });
let count = 0;
let feature: string;
const nothingToUndo = (where = "") =>
  `the feature "${feature}" has no change that can be undone${where}; "feature history '${feature}'" lists its changes`;

beforeEach(async () => {
  feature = `feature ${++count}`;
  await line.burgee.store({
    projects,
    features: [featureOf(feature, { development: [blue], production: [blue] })],
  });
});

async function patch(operations: unknown, environment?: string, reason = "", of = feature): Promise<string> {
  const options = { environment, headers: { "burgee-reason": reason } };
  const { headers } = await line.burgee.patchVariants(of, operations, options);
  return headers["burgee-change"] ?? "";
}

const stored = () => Promise.all(environments.map((one) => line.burgee.names(feature, one)));
const history = async () => (await line.json("feature history", feature)).changes;
const undo = (...given: string[]) => line.run("feature undo", feature, ...given);

it("history lists what each change did, newest first, as the API does with --json", async () => {
  const [first, second] = [await patch(addRed), await patch(stick("userId"), "production")];

  const { out } = await line.run("feature history", feature);

  expect(out.replaceAll(/ 2\S+Z /g, " TIME ")).toBe(`${second}  TIME by admin
    production: replace /variants/blue/stickiness "userId" (was "default") (can be undone)
${first}  TIME by admin
    development: replace /variants/blue/weight 500 (was 1000), add /variants/red {"weight":500,"weightType":"variable","stickiness":"default"}
    production: replace /variants/blue/weight 500 (was 1000), add /variants/red {"weight":500,"weightType":"variable","stickiness":"default"}
`);
  const path = `/api/admin/projects/default/features/${encodeURIComponent(feature)}/variants/changes`;
  const { json } = await line.burgee.send({ method: "GET", path });
  expect(await line.json("feature history", feature)).toEqual(json);
  await line.run("feature create fresh --project default");
  expect(await line.run("feature history fresh")).toEqual(
    done(
      'The list of changes of "fresh" is empty: it has those of the last 30 days, since the feature was created or restored.\n',
    ),
  );
});

it("history says why, of one feature has the newest 20 of each environment, and of all features every change", async () => {
  for (let count = 0; count < 22; count++) await patch(stick(`${count}`), "production");
  const last = await patch(stick("last"), "production", "a calm %C3%BCbung");

  const { out } = await line.run("feature history", feature);

  expect(out).toMatch(new RegExp(`^${last}  2\\S+Z by admin: a calm übung\n`));
  expect(out).toMatch(
    /\nOlder changes are not listed here; "history" lists all of the last 30 days, with --data, .+\n$/,
  );
  expect(await history()).toHaveLength(20);
  const { changes } = await line.json("history");
  expect(changes.filter((one: { feature: string }) => one.feature === feature)).toHaveLength(23);
});

it("history of all features is that of the last hour, newest first, or of a project, by scans alone", async () => {
  const mine = [projectOf("mine", "live")];
  await line.burgee.store({
    projects: mine,
    features: [featureOf("banner", { live: [blue] }, { project: "mine" })],
  });
  const first = await patch(addRed, undefined, "why not");
  const stickBanner = { project: "mine", headers: { "burgee-reason": "calm" } };
  const { headers } = await line.burgee.patchVariants("banner", stick("userId"), stickBanner);
  const undone = await line.json("feature undo", feature, "--yes").then(history);
  line.burgee.wire.reset();

  const { out } = await line.run("history --since 1h");

  const queries = line.burgee.wire.calls.filter(({ operation }) => operation === "Query");
  // The one query is for the projects.
  expect(queries).toHaveLength(1);
  const changes = "remove /variants/red, replace /variants/blue/weight 1000 (was 500)";
  const added =
    'replace /variants/blue/weight 500 (was 1000), add /variants/red {"weight":500,"weightType":"variable","stickiness":"default"}';
  expect(
    out.replaceAll(/ 2\S+Z /g, " TIME "),
  ).toBe(`${undone[0].id}  TIME "${feature}" by ${userInfo().username}, undoes ${first}
    development: ${changes}
    production: ${changes}
${headers["burgee-change"]}  TIME "banner" by admin: calm
    live: replace /variants/blue/stickiness "userId" (was "default") (can be undone)
${first}  TIME "${feature}" by admin: why not
    development: ${added} (undone by ${undone[0].id})
    production: ${added} (undone by ${undone[0].id})
`);
  const listed = await line.json("history --since 2020-01-01 --project mine");
  expect(listed).toMatchObject({
    changes: [{ feature: "banner", project: "mine", reason: "calm" }],
  });
  expect(await line.run("history --since 2100-01-01")).toEqual(done("There are no changes.\n"));
  expect(await line.run("history --since soon")).toEqual(
    misused('"soon" is not a time; write it like 1h, 7d, 2030-01-01 or 2030-01-01T12:00:00Z'),
  );
  expect(await line.run("history --project min")).toEqual(
    refused('there is no project "min" (did you mean "mine"?)'),
  );
});

/** The features that a scan reads on its last page, in their order. */
async function featuresOnLastPage(): Promise<string[]> {
  await readTable(line.burgee.session);
  const page = line.burgee.wire.calls.findLast(isScanOfAll)?.response?.body ?? {};
  const { Items = [] } = page as { Items?: { sk: { S: string }; feature?: { S: string } }[] };
  return Items.flatMap(({ sk, feature }) => (sk.S === "ENVIRONMENT#live" ? (feature?.S ?? []) : []));
}

/** Has the first attempts of what an environment carries begun a month ago. */
async function ageCarried(name: string): Promise<void> {
  const { carriedNewest, carriedRest, ...item } = await line.burgee.storedEnvironment(name, "live");
  const at = new Date(Date.now() - 29 * 24 * 3_600_000).toISOString();
  const aged = carriedRest.map((change) => ({ ...change, at }));
  await line.burgee.put({ ...item, carriedNewest: { ...carriedNewest, at }, carriedRest: aged } as TableKey);
}

it.each([
  [10, ""],
  [50, ""],
  [10, ", by retries of requests of a month ago"],
])(
  "history has every change with what it did, also where %i are made while it reads%s",
  async (count, retries) => {
    const large = variant("large", { payload: { type: "string", value: "x".repeat(180_000) } });
    const names = times(12, (index) => `large-${index}`);
    await line.burgee.store({
      projects: [projectOf("many", "live")],
      features: [
        ...names.map((name) => featureOf(name, { live: [large] }, { project: "many" })),
        ...names.map((name) => featureOf(`small-${name}`, { live: [blue] }, { project: "many" })),
      ],
    });
    const hot = (await featuresOnLastPage()).find((name) => name.startsWith("small")) ?? "";
    const stickHot = (to: number) => line.burgee.patchVariants(hot, stick(`${to}`), { project: "many" });
    for (let to = 0; to < 5; to++) await stickHot(to);
    line.burgee.wire.reset();
    let pages = 0;
    const isLastPage = (call: Call) => isScanOfAll(call) && ++pages === 3;
    line.burgee.wire.beforeFirst(isLastPage, async () => {
      for (let to = 5; to < count; to++) await stickHot(to);
      if (retries) await ageCarried(hot);
    });

    const { changes } = await line.json("history --project many");

    const did = changes.map(
      (change: { environments: { difference: object }[] }) => change.environments[0]?.difference,
    );
    const sticking = times(count, (to) => [
      replaced("/variants/blue/stickiness", `${to}`, to === 0 ? "default" : `${to - 1}`),
    ]);
    // Over all features the order is that of the first attempts.
    if (retries) expect(did).toEqual(expect.arrayContaining(sticking));
    else expect(did).toEqual(sticking.toReversed());
  },
);

it("history ends at a change that is not kept any more, as the API's list does", async () => {
  const ids = [];
  for (let to = 0; to < 6; to++) ids.push(await patch(stick(`${to}`), "production"));
  const { uid } = await line.burgee.storedEnvironment(feature, "production");
  await line.burgee.remove(changeTableKey(ids[1] ?? "", uid));

  const { changes } = await line.json("history --project default");

  const ofFeature = changes.filter((one: { feature: string }) => one.feature === feature);
  const expected = ids.slice(2).reverse();
  expect(ofFeature.map(({ id }: { id: string }) => id)).toEqual(expected);
  expect((await history()).map(({ id }: { id: string }) => id)).toEqual(expected);
});

it("undo goes back by the newest change in effect, twice by two, and its own change cannot be undone", async () => {
  const [first, second] = [await patch(addRed), await patch(stick("userId"))];
  expect(await undo()).toEqual(unconfirmed);

  const { out } = await undo("--yes");
  const [undone] = await history();
  expect(out).toBe(`Undid ${second} in development, production: the change ${undone.id}.\n`);
  expect(undone).toMatchObject({ by: userInfo().username, undoes: second });
  expect(await stored()).toEqual([
    ["blue", "red"],
    ["blue", "red"],
  ]);

  expect(await line.json("feature undo", feature, "--yes")).toEqual({ version: 1, variants: [blue] });
  expect(await stored()).toEqual([["blue"], ["blue"]]);
  expect(await undo(first, "--yes")).toEqual(done(`The change ${first} is already undone.\n`));
  expect(await undo("--yes")).toEqual(refused(nothingToUndo()));

  const [{ id }] = await history();
  const { code, err } = await undo(id, "--yes");
  expect(code).toBe(1);
  expect(err).toContain(
    `is an undo and cannot be undone; to make the change ${first} again, send its difference in "feature history --json" as a patch`,
  );
  expect(await stored()).toEqual([["blue"], ["blue"]]);
});

it("undo with --dry-run prints what it would do, as the API does with --json", async () => {
  const change = await patch(addRed);
  const before = await stored();

  const { out } = await undo("--dry-run");
  const preview = await line.json("feature undo", feature, "--dry-run");

  const operations = "remove /variants/red, replace /variants/blue/weight 1000 (was 500)";
  expect(out).toBe(
    `Dry run, nothing was changed. Undo the change ${change} of "${feature}":\n    development: ${operations}\n        all users in development keep what they have\n    production: ${operations}\n        all users in production keep what they have\n`,
  );
  const path = `/api/admin/projects/default/features/${encodeURIComponent(feature)}/variants/changes/${change}/undo?dryRun=true`;
  expect(preview).toEqual((await line.burgee.send({ method: "POST", path })).json);
  expect(await stored()).toEqual(before);
});

it("undo is refused before its first write where the variants changed since", async () => {
  const change = await patch(addRed);
  const later = await patch(stick("userId"), "production");
  line.burgee.wire.reset();

  const { code, err } = await undo(change, "--yes");

  expect(code).toBe(1);
  expect(err).toBe(
    `burgee: environment "production": the feature was changed later by ${later}; undo that change first
    development: not attempted
    production: failed
`,
  );
  expect(line.writes()).toEqual([]);
  expect(await undo("none", "--yes")).toEqual(
    refused(
      'There is no change "none" in any environment in the last 30 days; "feature history" lists the ids',
    ),
  );
});

it("undo that stops halfway says what it has done, and how to go on", async () => {
  const change = await patch(addRed);
  const isOf = (environment: string, input: object) => JSON.stringify(input).includes(environment);
  const denied = { error: "AccessDeniedException", message: "no permission" };
  line.burgee.wire.decideWrites((_, { input }) => (isOf("production", input) ? denied : "pass"));

  const { code, err } = await undo("--yes");
  line.burgee.wire.reset();

  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`\nburgee: AWS denied the call: no permission; the policies are in docs/OPERATIONS.md#permissions; to try again, run: ${line.printed(`feature undo '${feature}' ${change}`)}
    development: patched
    production: failed
`),
  });
  expect((await undo(change, "--yes")).code).toBe(0);
  expect(await stored()).toEqual([["blue"], ["blue"]]);
});

it("undo of a feature that changes after the question is refused, and names the change", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  const change = await patch(addRed);
  const given = [...line.at(), "feature", "undo", `'${feature}'`, "--environment", "production"];

  const { shown } = await runAtTerminal(`node dist/tools/admin.mjs ${given.join(" ")}`, async () => {
    await patch(stick("userId"));
    return "y\r";
  });

  expect(shown).toContain(
    `burgee: "${feature}" was changed concurrently, and nothing was written; to try again, run: ${line.printed(`feature undo '${feature}' ${change} --environment production`)}`,
  );
});

it("undo with --yes is not refused where other environments change meanwhile, only where its own do", async () => {
  const meanwhile = (environment: string) =>
    line.burgee.wire.beforeFirst(
      ({ operation }) => operation === "UpdateItem",
      () => patch(stick("userId"), environment),
    );
  const change = await patch(addRed, "development");
  meanwhile("production");
  expect((await undo("--yes")).out).toContain(`Undid ${change} in development`);

  await patch(addRed, "development");
  meanwhile("development");
  expect((await undo("--yes")).err).toMatch(/the feature was changed later by \S+; undo that change first/);
});

it("undo reports the environments in which it undid the change, not those that were undone meanwhile", async () => {
  const change = await patch(addRed);
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => line.burgee.undo(feature, change, { environment: "production" }),
  );

  const { out } = await undo("--yes");

  expect(out).toMatch(new RegExp(`^Undid ${change} in development: the change [\\w-]{11}\\.\\n$`));
  expect(await stored()).toEqual([["blue"], ["blue"]]);
});

it.each([
  ["200 characters", "é".repeat(200), 0],
  ["201 characters", "é".repeat(201), 2],
  ["a line break", "a\nb", 2],
  ["a format character", "a\u202eb", 2],
  ["none, as of an unset variable", "", 0],
])("the reason of a command may have what that of a request has: %s", async (_, reason, code) => {
  await patch(addRed);

  expect((await undo("--yes", "--reason", reason)).code).toBe(code);

  if (code === 0) expect((await history())[0].reason).toBe(reason || undefined);
});

it("undo with --environment goes back in that environment alone", async () => {
  const change = await patch(addRed);
  await patch(stick("userId"), "production");

  const { out } = await undo(change, "--environment", "development", "--yes");

  const [{ id }] = await history();
  expect(out).toBe(`Undid ${change} in development: the change ${id}.\n`);
  expect(await stored()).toEqual([["blue"], ["blue", "red"]]);
  expect(await undo("--environment", "development", "--yes")).toEqual(
    refused(nothingToUndo(" in development")),
  );
  expect(await undo("--environment", "none", "--yes")).toEqual(
    refused(`the feature "${feature}" has no environment "none"; it has development and production`),
  );
});

it("apply and import-unleash each make one change of a feature, by the operator, that can be undone", async () => {
  const green = [variant("green")];
  const features = [featureOf(feature, { development: green, production: green })];
  await line.apply({ projects, features }, "--reason", "calm");
  const featureEnvironments = environments.map((environment) => {
    return { featureName: feature, environment, variants: [variant("red")] };
  });
  const exported = { features: [{ name: feature, project: "default" }], featureEnvironments };
  const off = environments.map((name) => ({ name, enabled: false }));
  const switches = fileOf({ features: [{ name: feature, environments: off }] });
  await line.run("import-unleash", fileOf(exported), "--switches", switches, "--reason", "move");

  const changes = await history();
  const both = environments.map((environment) => expect.objectContaining({ environment }));
  const id = expect.stringMatching(/^[\w-]{11}$/);
  const change = { id, by: userInfo().username, at: expect.any(String), environments: both };
  expect(changes).toMatchObject([
    { ...change, reason: "move" },
    { ...change, reason: "calm" },
  ]);
  expect((await undo("--yes")).code).toBe(0);
  expect(await stored()).toEqual([["green"], ["green"]]);
  expect((await undo("--yes")).code).toBe(0);
  expect(await stored()).toEqual([["blue"], ["blue"]]);
});
