/** `import-unleash --from`: replays what running servers responded, and compares what SDKs load of them and of Burgee. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../../support/listening.ts";
import { type Document, differing } from "../../../support/unleash-users.ts";
import { fileOf, misused, refused, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();
const token = "*:*.token-of-the-tests";
const environments = ["development", "production"];

interface Exchange {
  method: string;
  path: string;
  body?: object;
  /** Of the client's document. */
  environment?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what Unleash responded.
  response: any;
}

/** What a server of this version responded, with flags that are on and off, strategies, segments, parents and variants. */
function recordingOf(version: string): Exchange[] {
  const lines = readFileSync(`test/infra/clients/admin/data/unleash-${version}.jsonl`, "utf8")
    .trim()
    .split("\n");
  return lines.map((text) => JSON.parse(text));
}

/** Serves it, and collects the calls. */
async function replay(recording: readonly Exchange[]) {
  const calls: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    calls.push(`${incoming.method} ${incoming.url}`);
    const known = recording.find(
      ({ method, path, body: expected, environment }) =>
        [method, path, environment].join() === [incoming.method, incoming.url, undefined].join() &&
        (expected ? JSON.stringify(expected) : "") === body,
    );
    const status = incoming.headers.authorization !== token ? 401 : known ? 200 : 404;
    outgoing.writeHead(status).end(JSON.stringify(status === 200 ? known?.response : { message: "no" }));
  });
  vi.stubEnv("UNLEASH_TOKEN", token);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  return { calls, address: `http://127.0.0.1:${await listen(server)}` };
}

async function served(environment: string): Promise<Document> {
  const path = `/api/projects/default/environments/${environment}/client/features`;
  return (await line.burgee.send({ method: "GET", path })).json;
}

const state = async () => JSON.parse(await line.exported());

describe.each(["6.10.1", "8.2.0"])("Unleash %s", (version) => {
  const recording = recordingOf(version);
  const responseTo = (path: string, rest: Partial<Exchange> = {}) =>
    recording.find(
      (one) =>
        one.path === path && Object.entries(rest).every(([member, value]) => one[member as "path"] === value),
    )?.response;
  const documentOf = (environment: string) => responseTo("/api/client/features", { environment });
  const list = responseTo("/api/admin/projects/default/features");
  const segments = responseTo("/api/admin/segments");
  const exports = recording
    .filter(({ path, body }) => path.endsWith("/export") && JSON.stringify(body).includes('"default"'))
    .map(({ response }) => response);

  it("gives 1,000 users of unleash-client the same from Burgee, in each environment", async () => {
    const { address } = await replay(recording);

    const { created, leftOut } = await line.json("import-unleash", "--from", address, "--project", "default");

    expect(created).toBe(list.features.length + 1);
    expect(leftOut.map(({ what }: { what: string }) => what)).not.toContain("strategies");
    for (const environment of environments) {
      const original = documentOf(environment);
      const made = await served(environment);
      const names = original.features.flatMap(({ name, project }: { name: string; project: string }) =>
        project === "default" ? name : [],
      );
      expect(made.features.map(({ name }) => name).sort()).toEqual(names.sort());
      const others = names.filter((name: string) => differing(original, made, name).length > 0);
      expect(others, environment).toEqual([]);
    }
  }, 120_000);

  it("takes the order of strategies, and switches that an export does not have", async () => {
    const { address, calls } = await replay(recording);
    await line.json("import-unleash", "--from", address, "--project", "default");

    const { features } = await state();
    const of = (name: string) => features.find((one: { name: string }) => one.name === name).environments;
    const rollouts = of("two-strategies").development.strategies;
    expect(rollouts.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout)).toEqual(
      ["60", "100", "30"],
    );
    expect([of("plain-off"), of("switched-off")]).toMatchObject([
      { development: { enabled: false }, production: { enabled: false } },
      { development: { enabled: true }, production: { enabled: false } },
    ]);
    expect(of("all-disabled").development).toMatchObject({
      enabled: false,
      strategies: [{ disabled: true }],
    });
    // Of features with one strategy the export is enough.
    expect(calls.filter((call) => /features\/./.test(call)).sort()).toEqual([
      "GET /api/admin/projects/default/features/one-disabled",
      "GET /api/admin/projects/default/features/two-strategies",
    ]);
    const again = await line.json("import-unleash", "--from", address, "--project", "default");
    expect(again).toMatchObject({ created: 0, updated: 0 });
  });

  it("push finds no difference after an import, and names strategies that differ", async () => {
    const { address } = await replay(recording);
    await line.json("import-unleash", "--from", address, "--project", "default");
    const to = ["--to", address, "--environment", "development", "--dry-run"];
    const { features, leftOut } = await line.json("push", ...to);
    await line.burgee.patchFeature(
      "two-strategies",
      [{ op: "replace", path: `/strategies/${(await firstStrategy()).id}/parameters/rollout`, value: "61" }],
      { environment: "development" },
    );
    const after = await line.json("push", ...to);

    expect(features).toEqual([]);
    const strategies = (all: { what: string; which: string[] }[]) =>
      all.flatMap(({ what, which }) => (["strategies", "dependencies"].includes(what) ? which : []));
    expect([strategies(leftOut), strategies(after.leftOut)]).toEqual([[], ["two-strategies"]]);
  });

  async function firstStrategy() {
    const { features } = await state();
    const feature = features.find(({ name }: { name: string }) => name === "two-strategies");
    return feature.environments.development.strategies[0];
  }

  it("takes the same from files, but for strategies whose order decides", async () => {
    const files = exports.map(fileOf);
    const withSegments = ["--segments", fileOf(segments)];
    const unknown = await line.run("import-unleash", ...files, ...withSegments);
    await line.run("import-unleash", ...files, ...withSegments, "--switches", fileOf(list));
    const byList = await state();

    expect(unknown).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^burgee: it is not known which features are on: give --switches FILE .+:\n {2}all-disabled in development\n/,
      ),
    });
    const documents = environments.flatMap((environment) => ["--switches", fileOf(documentOf(environment))]);
    expect(await line.json("import-unleash", ...files, ...withSegments, ...documents)).toMatchObject({
      updated: 0,
      leftOut: expect.arrayContaining([
        {
          what: "strategies",
          why: expect.stringContaining("whose order an export lacks: import with --from"),
          count: 1,
          which: ["two-strategies in development"],
        },
      ]),
    });
    const { address } = await replay(recording);
    const again = ["--from", address, "--project", "default", "--yes"];
    const { updated } = await line.json("import-unleash", ...again);
    expect(updated).toBeLessThanOrEqual(2);
    expect(await state()).not.toEqual(byList);
  });

  it("takes one project, and refuses one without features", async () => {
    const { address } = await replay([
      ...recording,
      { method: "GET", path: "/api/admin/projects/none/features", response: { features: [] } },
    ]);

    await line.json("import-unleash", "--from", address, "--project", "shop");

    expect((await state()).projects).toEqual([{ id: "shop", environments: ["development"] }]);
    expect(await line.run("import-unleash", "--from", address, "--project", "none")).toEqual(
      refused(`${address} has no features in project "none"`),
    );
  });

  it("names the projects that the server has in place of one that it does not have", async () => {
    const projects = { projects: ["default", "none", "shop"].map((id) => ({ id, name: "A name" })) };
    const { address } = await replay([
      ...recording,
      { method: "GET", path: "/api/admin/projects", response: projects },
      ...["defualt", "none", "mobile"].map((id) => ({
        method: "GET",
        path: `/api/admin/projects/${id}/features`,
        response: { features: [] },
      })),
    ]);
    const importOf = (project: string) => line.run("import-unleash", "--from", address, "--project", project);

    expect(await importOf("defualt")).toEqual(
      refused(`${address} has no project "defualt" (did you mean "default"?)`),
    );
    expect(await importOf("mobile")).toEqual(
      refused(`${address} has no project "mobile"; it has default, none and shop`),
    );
    expect(await importOf("none")).toEqual(refused(`${address} has no features in project "none"`));
  });
});

it.each([
  [[], "give the address of Unleash as --from, or files"],
  [["--project", "p", "a.json"], "--project needs --from"],
  [["--from", "http://u", "a.json"], "--from reads everything from the server: give no files"],
  [["--from", "http://u"], "UNLEASH_TOKEN is not set: it is the token that Unleash accepts"],
])("import-unleash %j is wrong usage", async (given, message) => {
  expect(await line.run("import-unleash", ...given)).toEqual(misused(message));
});
