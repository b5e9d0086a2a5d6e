/** The stored document is previewed, confirmed, conditional, listed and taken back. */
import { expect, it, onTestFinished, vi } from "vitest";
import { featureOf, projectOf, variant } from "../../support/seed.ts";
import { newFolder, runAtTerminal, useCommandLine } from "./command-line.ts";
import { half } from "./exported.ts";

const two = [half("blue"), half("green")];
const names = ["banner", "checkout", "search"];
const line = await useCommandLine({
  projects: [projectOf("default", "development", "production"), projectOf("web", "production")],
  features: [
    ...names.map((name) => featureOf(name, { development: [], production: two }, { enabled: true })),
    featureOf("home", { production: [variant("new")] }, { project: "web" }),
  ],
});
const folder = newFolder();

const of = "--as unleash --project default --environment production";
const where = 'unleash in environment "production" of project "default"';
const fileOf = (document: unknown) => folder.file("document.json", document);
const set = (document: unknown, ...options: string[]) =>
  line.run(`document set ${fileOf(document)} ${of} ${options.join(" ")}`.trim());
const undo = (...options: string[]) => line.run(`document undo ${of} ${options.join(" ")}`.trim());
const etagOf = async () => /Its ETag is (\S+)\./.exec((await line.run(`document get ${of}`)).err)?.[1] ?? "";

const feature = (name: string, rest: object = {}) => {
  return { name, enabled: true, strategies: [{ name: "default" }], variants: two, ...rest };
};
const all = { version: 2, features: names.map((name) => feature(name)) };
const lacking = { version: 2, features: [feature("checkout", { impressionData: true }), feature("new")] };

async function load() {
  const path = "/api/projects/default/environments/production/client/features";
  const { json } = await line.burgee.send({ method: "GET", path });
  return json.features.map(({ name }: { name: string }) => name);
}

const preview = `For SDKs these change:
- feature "banner"
- feature "search"
+ feature "new"
~ feature "checkout": impressionData`;

it("without a terminal and --yes, set shows what would come, go and change, and writes nothing", async () => {
  await set(all, "--yes");
  line.burgee.wire.reset();

  const { code, out, err } = await set(lacking);

  expect([code, out, line.writes()]).toEqual([1, "", []]);
  expect(err).toContain(preview);
  expect(err).toContain(`give --yes. Store the document for ${where}, so that SDKs lose 2 features?`);
  expect(await load()).toEqual(names);
});

it("an empty file takes every feature from SDKs, and is refused with their names", async () => {
  const { code, err } = await set({ version: 2, features: [] });

  expect(code).toBe(1);
  for (const name of names) expect(err).toContain(`- feature "${name}"`);
  expect(await load()).toEqual(names);
});

it("with --yes it shows the same, and writes", async () => {
  await set(all, "--yes");

  const { code, out, err } = await set(lacking, "--yes");

  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(preview);
  expect(out).toContain(`Stored the document for ${where}: the change `);
  expect(await load()).toEqual(["checkout", "new"]);
});

it("a dry run writes nothing, and its exit code is 3 where the document would change", async () => {
  await set(all, "--yes");
  line.burgee.wire.reset();

  const [plain, code, same] = [
    await set(lacking, "--dry-run"),
    await set(lacking, "--dry-run", "--exit-code"),
    await set(all, "--dry-run", "--exit-code"),
  ];

  expect([plain.code, code.code, same.code, line.writes()]).toEqual([0, 3, 0, []]);
  expect(plain.out).toContain(`Dry run, nothing was changed. ${preview}`);
  expect(same.out).toContain("Dry run, nothing was changed. Nothing changes for SDKs.");
  expect(await set(all, "--exit-code")).toMatchObject({
    code: 2,
    err: "burgee: --exit-code needs --dry-run\n",
  });
});

it("prints the preview and the new ETag as JSON", async () => {
  await set(all, "--yes");

  const printed = await line.json(`document set ${fileOf(lacking)} ${of} --yes`);

  expect(printed).toMatchObject({
    format: "unleash",
    project: "default",
    environment: "production",
    dryRun: false,
    unchanged: false,
    etag: await etagOf(),
    come: ["new"],
    go: ["banner", "search"],
    change: [{ feature: "checkout", members: ["impressionData"] }],
    rest: [],
  });
});

it("the same document in another layout is not written again", async () => {
  await set(all, "--yes");
  line.burgee.wire.reset();

  const { code, out } = await set(Buffer.from(JSON.stringify(all, null, 2)));

  expect([code, line.writes()]).toEqual([0, []]);
  expect(out).toContain(`The document for ${where} is as it was: nothing was changed.`);
});

it.each([
  [{ environment: "development" }, 'environment "development"'],
  [{ environment: "production", project: ["web", "other"] }, 'project "web", "other"'],
  [{ project: "web" }, 'project "web"'],
])("refuses the document whose query is %j", async (query, names) => {
  const { code, err } = await set({ ...all, query }, "--yes");

  expect(code).toBe(1);
  expect(err).toContain(`says that it is of ${names}: if this one is meant, remove that from it`);
});

it.each([{ environment: "production", project: ["default", "web"] }, { project: "*" }, { project: [] }, 5])(
  "takes the document whose query is %j",
  async (query) => {
    expect((await set({ ...all, query }, "--yes")).code).toBe(0);
  },
);

it("refuses what export --as flagd printed of another environment", async () => {
  const of = "--as flagd --project default --environment";
  const file = folder.file("flags.json", "");
  await line.run(`export ${of} development ${file}`);

  const { code, err } = await line.run(`document set ${file} ${of} production --yes`);

  expect([code, err]).toEqual([1, expect.stringContaining('says that it is of environment "development"')]);
});

it("a name that is a number is refused: SDKs would get a number", async () => {
  const { code, err } = await set(Buffer.from('{"features":[{"name":1.0,"enabled":true}]}'), "--yes");

  expect([code, err]).toEqual([1, expect.stringContaining("/features/0/name must be a string")]);
});

it("names features of other projects and unknown ones, in set, in check and in the header", async () => {
  const document = { ...all, features: [...all.features, feature("home"), feature("unknown")] };

  const { out } = await set(document, "--yes");

  const why = "not in Burgee, in this project and environment: they stay as the file has them";
  expect(out).toMatch(new RegExp(`^features +2  ${why} +home, unknown$`, "m"));
  expect(await line.run(`document check ${of}`)).toMatchObject({
    code: 1,
    out: expect.stringContaining(why),
  });
  const path = "/api/projects/default/environments/production/client/features";
  const { headers } = await line.burgee.send({ method: "GET", path });
  expect(headers["burgee-left-out"]).toBe("2");
});

it("with --if-match, replaces only the document that get has printed", async () => {
  await set(all, "--yes");
  const etag = await etagOf();
  await set(lacking, "--yes");

  const late = await set(all, "--yes", `--if-match ${etag}`);
  const current = await set(all, "--yes", `--if-match "${await etagOf()}"`);

  expect(late).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      new RegExp(`not the one with the ETag ${etag}: its ETag is \\S+ since .+; get it again`),
    ),
  });
  expect(current.code).toBe(0);
  await line.run(`document remove ${of} --yes`);
  expect((await set(all, "--yes", "--if-match none")).err).toContain("the ETag none");
});

it("refuses to replace a document that was changed while it was asking", async () => {
  await set(all, "--yes");
  const other = folder.file("other.json", { ...all, segments: [] });
  const meanwhile = async () => {
    await line.run(`document set ${other} ${of} --yes`);
    return "y\n";
  };
  const typed = ["node", "dist/tools/admin.mjs", ...line.at(), "document set", fileOf(lacking), of].join(" ");

  const { shown, code } = await runAtTerminal(typed, meanwhile, { PATH: process.env.PATH });

  expect([code, shown]).toEqual([
    1,
    expect.stringContaining("it was changed concurrently; run the command again"),
  ]);
  expect(await load()).toEqual(names);
}, 30_000);

it("lists the documents with who stored them, when, why, and what each changed", async () => {
  await set(all, "--yes", "--reason first");
  await set(lacking, "--yes");
  await line.run(`document remove ${of} --yes`);

  const { changes } = await line.json(`document history ${of}`);
  const { out } = await line.run(`document history ${of}`);

  expect(changes).toMatchObject([
    { isStored: false, canUndo: true, differences: { go: ["checkout", "new"] } },
    { isStored: true, canUndo: false, differences: { come: ["new"], go: ["banner", "search"] } },
    { isStored: true, reason: "first", by: expect.any(String), differences: { come: names } },
  ]);
  expect(out.match(/^\S.* by /gm)).toHaveLength(3);
  expect(out).toContain("    no document: a feature that is on is on for everyone\n");
  expect(out).toContain('    - feature "banner"\n    - feature "search"\n    + feature "new"\n');
});

it("undo restores the document before, step by step, with the same bytes, and shows what it does first", async () => {
  const texts = [JSON.stringify(all), JSON.stringify(lacking, null, 1)];
  for (const text of texts) await set(Buffer.from(text), "--yes");
  await line.run(`document remove ${of} --yes`);

  const asked = await undo();
  const steps = [];
  for (let step = 0; step < 3; step++) {
    const { code } = await undo("--yes");
    const { out } = await line.run(`document get ${of}`);
    steps.push([code, out.trimEnd()]);
  }

  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('+ feature "new"') });
  expect(steps).toEqual([
    [0, texts[1]],
    [0, texts[0]],
    [0, ""],
  ]);
  expect(await load()).toEqual(names);
  expect(await undo("--yes")).toMatchObject({
    code: 1,
    err: `burgee: the document for ${where} has no change to undo\n`,
  });
  const { changes } = await line.json(`document history ${of}`);
  const ids = changes.map(({ id }: { id: string }) => id);
  expect(changes.map(({ undoes }: { undoes?: string }) => ids.indexOf(undoes))).toEqual([
    5, 4, 3, -1, -1, -1,
  ]);
  expect(changes.map(({ canUndo }: { canUndo: boolean }) => canUndo)).not.toContain(true);
});

it("an undo that names another change than the newest is refused", async () => {
  await set(all, "--yes");
  const first = await etagOf();
  await set(lacking, "--yes");

  const { code, err } = await line.run(`document undo ${first} ${of} --yes`);

  expect([code, err]).toEqual([1, expect.stringContaining(`is ${await etagOf()}, not ${first}`)]);
});

it("keeps the last 20 for 30 days, and prints each of them", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let version = 1; version <= 22; version++) await set({ ...all, version }, "--yes");

  const { changes } = await line.json(`document history ${of}`);
  const oldest = changes.at(-1).id;
  const { out } = await line.run(`document get --change ${oldest} ${of}`);
  vi.advanceTimersByTime(31 * 24 * 3_600_000);
  const later = await line.json(`document history ${of}`);
  const gone = await line.run(`document get --change ${oldest} ${of}`);

  expect([changes.length, JSON.parse(out).version]).toEqual([21, 2]);
  expect(later.changes).toHaveLength(1);
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining(`no change "${oldest}" that is kept`) });
  expect(await undo("--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not kept any more"),
  });
  expect(await load()).toEqual(names);
}, 60_000);

it("a patch of variants that no SDK will see has a hint that says why, until the document has a place for them", async () => {
  const own = { name: "flexibleRollout", variants: [{ name: "red" }] };
  const [banner, checkout] = [feature("banner"), feature("checkout", { strategies: [own] })];
  await set({ version: 2, features: [banner, checkout] }, "--yes");
  const hintOf = async (name: string, dryRun: boolean) => {
    const patch = [{ op: "add", path: "/-", value: { name: `new-${dryRun}`, weight: 0 } }];
    const { json, headers } = await line.burgee.patch(name, patch, { environment: "production", dryRun });
    return dryRun ? json.environments[0].hint : headers["burgee-hint"];
  };
  const will = "SDKs of Unleash will not see these variants";

  expect(await hintOf("checkout", true)).toBe(
    `${will}: a strategy of the stored document has variants of its own`,
  );
  expect(await hintOf("checkout", false)).toBe(
    `production: ${will}: a strategy of the stored document has variants of its own`,
  );
  expect(await hintOf("search", true)).toBe(`${will}: the stored document lacks the feature`);
  expect(await hintOf("banner", true)).toBeUndefined();
  await undo("--yes");
  expect(await hintOf("checkout", true)).toBeUndefined();
});

it("a switch that no SDK will see has a hint that says why, and so has its undo; hidden variants do not matter", async () => {
  const own = { name: "flexibleRollout", variants: [{ name: "red" }] };
  await set({ version: 2, features: [feature("checkout", { strategies: [own] })] }, "--yes");
  const production = { environment: "production" };
  const switchTo = (name: string, to: "on" | "off", dryRun: boolean) =>
    line.burgee.switch(name, to, { ...production, dryRun });
  const hint = "SDKs of Unleash will not see the switch: the stored document lacks the feature";

  const preview = await switchTo("search", "off", true);
  const switched = await switchTo("search", "off", false);
  const undone = await line.burgee.undo("search", switched.headers["burgee-change"] ?? "", production);

  expect(preview.json.environments).toEqual([{ ...production, enabled: false, outcome: "patched", hint }]);
  expect(switched.json.environments).toEqual([{ ...production, enabled: false }]);
  expect(switched.headers["burgee-hint"]).toBe(`production: ${hint}`);
  expect(undone.headers["burgee-hint"]).toBe(`production: ${hint}`);
  expect((await switchTo("checkout", "off", true)).json.environments[0]).not.toHaveProperty("hint");
  expect((await switchTo("search", "on", true)).json.environments[0]).not.toHaveProperty("hint");
  await undo("--yes");
  expect((await switchTo("search", "off", true)).json.environments[0]).not.toHaveProperty("hint");
});

it("a Boolean flag of flagd has a hint, and a state file with the document has it too", async () => {
  const targeting = { if: ["variants of checkout", "on"] };
  const flag = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on", targeting };
  const document = { flags: { checkout: flag } };
  const state = {
    projects: [projectOf("default", "development", "production")],
    documents: [{ project: "default", environment: "production", format: "flagd", document }],
  };
  await line.apply(state);
  const patch = [{ op: "add", path: "/-", value: { name: "new", weight: 0 } }];

  const { json } = await line.burgee.patch("checkout", patch, { environment: "production", dryRun: true });

  expect(json.environments[0].hint).toBe(
    "flagd will not see these variants: the flag of the stored document is Boolean",
  );
});
