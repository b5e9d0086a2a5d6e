/** The documents of SDKs in state files: `export` writes them, `apply` and a first start store them. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { expect, it, onTestFinished } from "vitest";
import { featureOf, projectOf } from "../../support/seed.ts";
import { type LocalServer, startServerWith } from "../../support/server.ts";
import { admin, newFolder, runProcess, useCommandLine } from "./command-line.ts";
import { half } from "./exported.ts";

const two = [half("blue"), half("green")];
const line = await useCommandLine({
  projects: [projectOf("default", "development", "production")],
  features: [featureOf("checkout", { development: [], production: two }, { enabled: true })],
});
const folder = newFolder();

const of = (as: string) => `--as ${as} --project default --environment production`;
const strategies = [{ name: "userWithId", parameters: { userIds: "u-1" } }];
const forUnleash = { version: 2, features: [{ name: "checkout", enabled: true, strategies, variants: [] }] };
const flags =
  '{"flags":{"own":{"state":"ENABLED","variants":{"on":9007199254740993,"off":1.0},"defaultVariant":"on"}}}';

async function setBoth() {
  await line.run(`document set ${folder.file("unleash.json", forUnleash)} ${of("unleash")} --yes`);
  await line.run(`document set ${folder.file("flagd.json", Buffer.from(flags))} ${of("flagd")} --yes`);
}

async function openFolder(data: string): Promise<LocalServer> {
  const server = await startServerWith({ DOCUMENT_CACHE_SECONDS: "0" }, "--data", data);
  onTestFinished(() => void server.kill());
  return server;
}

const documents = "/api/projects/default/environments/production";
const headers = { authorization: admin.key };

it("export and apply into an empty folder serve the same bytes, to an SDK too", async () => {
  await setBoth();
  const data = path.join(folder.path, "data");
  const exported = await line.exported();
  expect((await runProcess(["--data", data, "apply", "-"], { input: exported })).code).toBe(0);

  const { url } = await openFolder(data);

  const served = async (name: string) => (await fetch(`${url}${documents}/${name}`, { headers })).text();
  const here = async (name: string) => {
    return (await line.burgee.send({ method: "GET", path: `${documents}/${name}` })).json;
  };
  const [unleash, flagd] = [await served("client/features"), await served("flagd.json")];
  expect(JSON.parse(unleash)).toEqual(await here("client/features"));
  expect(flagd).toBe(flags);
  const client = new Unleash({
    appName: "test",
    url: url + documents,
    customHeaders: { Authorization: admin.key },
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
  });
  onTestFinished(() => client.destroy());
  await once(client, "synchronized");
  expect(["u-1", "u-2"].map((userId) => client.isEnabled("checkout", { userId }))).toEqual([true, false]);
}, 60_000);

it("a state file has the documents as JSON, and applying what was exported changes nothing", async () => {
  await setBoth();
  const file = folder.file("state.json", "");
  await line.run(`export ${file}`);

  const { out } = await line.run(`apply ${file} --prune --dry-run`);

  const place = { project: "default", environment: "production" };
  const text = readFileSync(file, "utf8");
  expect(JSON.parse(text).documents).toEqual([
    { ...place, format: "flagd", document: JSON.parse(flags) },
    { ...place, format: "unleash", document: forUnleash },
  ]);
  expect(text).toContain('"on": 9007199254740993');
  expect(out).toBe("Dry run, nothing was changed: 0 created, 0 updated, 0 removed, 5 unchanged.\n");
});

const stateOf = (...documents: object[]) => {
  return { projects: [projectOf("default", "development", "production")], features: [], documents };
};
const inProduction = { project: "default", environment: "production", format: "unleash" };

it("apply shows which features of a document come, go and change, and asks before any goes", async () => {
  await setBoth();
  const features = [
    { name: "checkout", enabled: false },
    { name: "new", enabled: true },
  ];
  const changed = stateOf({ ...inProduction, document: { ...forUnleash, features } });
  const emptied = stateOf({ ...inProduction, document: { version: 2, features: [] } });

  const first = await line.apply(changed);
  const asked = await line.apply(emptied);
  const done = await line.apply(emptied, "--yes");

  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining('~ document "default/production/unleash"\n'),
  });
  expect(first.out).toContain("    ~ features/checkout/enabled: true -> false\n");
  expect(first.out).toContain("    + features/new");
  expect(asked).toMatchObject({
    code: 1,
    err: expect.stringContaining("- features/checkout\n    - features/new"),
  });
  expect(done.code).toBe(0);
  const { changes } = await line.json(`document history ${of("unleash")}`);
  expect(changes).toHaveLength(3);
});

it("with --prune a document that the list lacks is removed, and can be restored", async () => {
  await setBoth();

  const { code, out } = await line.apply(stateOf(), "--prune", "--yes");

  expect([code, out]).toEqual([0, expect.stringContaining('- document "default/production/unleash"\n')]);
  expect((await line.run(`document undo ${of("unleash")} --yes`)).code).toBe(0);
  expect((await line.run(`document get ${of("unleash")}`)).out).toBe(`${JSON.stringify(forUnleash)}\n`);
});

it("a file without the list leaves the documents alone", async () => {
  await setBoth();
  const { documents, ...rest } = stateOf();

  await line.apply({ ...rest, features: undefined }, "--prune", "--yes");

  expect((await line.run(`document get ${of("unleash")}`)).code).toBe(0);
});

it.each([
  [
    "of another environment",
    { ...inProduction, document: { ...forUnleash, query: { environment: "x" } } },
    /documents\/0\/document says that it is of environment "x"/,
  ],
  [
    "of an unknown environment",
    { ...inProduction, environment: "x", document: forUnleash },
    /environment is "x", which is not an environment of project "default"/,
  ],
  [
    "of an unknown project",
    { ...inProduction, project: "x", document: forUnleash },
    /project is "x", which is not among/,
  ],
  ["of no format", { ...inProduction, format: "yaml", document: {} }, /format must be one of flagd, unleash/],
  [
    "that is none",
    { ...inProduction, document: { features: {} } },
    /is not a document of Unleash's client features/,
  ],
  [
    "with a forbidden name",
    { ...inProduction, document: { ...forUnleash, constructor: 1 } },
    /the forbidden name "constructor"/,
  ],
])("refuses a document %s, before anything is written", async (_, document, message) => {
  line.burgee.wire.reset();

  const { code, err } = await line.apply(stateOf(document));

  expect([code, line.writes()]).toEqual([1, []]);
  expect(err).toMatch(message);
});

it("refuses two documents of one place", async () => {
  const one = { ...inProduction, document: forUnleash };
  expect((await line.apply(stateOf(one, one))).err).toContain("/documents/1 is the second one for unleash");
});
