/** `startBurgee` of "burgee/local", as another project's tests use it. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Burgee, type State, startBurgee } from "burgee/local";
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type * as z from "zod/mini";
import type { stateSchema } from "../../../infra/state/state-file.ts";
import { withTags } from "../../support/answers.ts";
import { toEvent } from "../../support/event.ts";
import { times } from "../../support/patching.ts";
import { runNode } from "../../support/program.ts";
import { demoKey, startSdks } from "../../support/sdks.ts";
import { tag } from "../../support/seed.ts";
import { putTag } from "../../support/server.ts";
import { newFolder } from "../clients/admin/command-line.ts";

const own = {
  projects: [{ id: "mine", environments: ["live"] }],
  features: [{ name: "banner", project: "mine" }],
  apiKeys: [{ name: "ci", key: "a key of ours, long enough", permissions: [{ permission: "ADMIN" }] }],
} as const satisfies State;

/** The demo's, for tests that need no start of their own. */
const demo = await startBurgee();
beforeEach(() => demo.reset());
afterAll(() => demo.stop());

const start: typeof startBurgee = async (options) => {
  const burgee = await startBurgee(options);
  onTestFinished(burgee.stop);
  return burgee;
};

const getTags = ({ url }: Pick<Burgee, "url">, key: string, feature = "checkout") =>
  fetch(`${url}/api/admin/features/${feature}/tags`, { headers: { authorization: key } });

/** The tags of the demo's first feature. */
async function tagsOf(burgee: Burgee<"demo">): Promise<unknown> {
  return (await getTags(burgee, burgee.keys.demo)).json();
}

const tagged = (...values: string[]) => withTags(values.map((value) => tag(value)));

it("startBurgee serves the given state, and names its keys", async () => {
  const burgee = await start({ state: own });

  expect(burgee.keys).toEqual({ ci: "a key of ours, long enough" });
  expect((await getTags(burgee, burgee.keys.ci, "banner")).status).toBe(200);
  expect((await getTags(burgee, burgee.keys.ci)).status).toBe(404);
});

it("the demo's state has a key that only reads", async () => {
  const { url, keys } = demo;
  const headers = { authorization: keys.reader, "content-type": "application/json" };
  const patch = (query: string) =>
    fetch(`${url}/api/admin/projects/default/features/checkout/variants${query}`, {
      method: "PATCH",
      headers,
      body: "[]",
    });

  expect((await patch("?dryRun=true")).status).toBe(200);
  expect((await patch("")).status).toBe(403);
});

it.each<[string, object, RegExp]>([
  [
    "an invalid state",
    { state: { projects: [{ id: "", environments: [] }] } },
    /\n {2}\/projects\/0\/id must not/,
  ],
  ["an option that it does not have", { stat: own }, /^startBurgee has no option "stat"/],
  [
    "the path of a state file",
    { state: "missing.json" },
    /^startBurgee takes a state, not the path of one: parse the file "missing.json"/,
  ],
  [
    "the URL of a folder",
    { state: new URL("file:///tmp/") },
    /^startBurgee takes a state, not the path of one: parse the file "file:\/\/\/tmp\/"/,
  ],
  [
    "the path of a log",
    { log: "burgee.log" },
    /^startBurgee takes a function as log, which receives each line/,
  ],
])("startBurgee refuses %s", async (_, options, reason) => {
  await expect(startBurgee(options)).rejects.toThrow(reason);
});

it("startBurgee serves the demo's state, to two in one process apart, whatever its environment says", async () => {
  vi.stubEnv("TABLE_NAME", "another");
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1");

  const [one, other] = await Promise.all([start(), start()]);
  await putTag(one.url, "checkout", "of-one");

  expect(await tagsOf(one)).toEqual(tagged("of-one", "team-a"));
  expect(await tagsOf(other)).toEqual(tagged("team-a"));
  vi.unstubAllEnvs();
});

it("startBurgee has types that accept what the schema accepts", () => {
  const accepts = (state: State): z.input<typeof stateSchema> => structuredClone(state) as Writable<State>;
  const isAccepted = (state: z.input<typeof stateSchema>): State => state;
  const isTyped = (member: MemberOf<z.input<typeof stateSchema>>): MemberOf<State> => member;
  const isMember = (member: MemberOf<State>): MemberOf<z.input<typeof stateSchema>> => member;

  expect([accepts(own), isAccepted({})]).toEqual([own, {}]);
  expect([isTyped("/features"), isMember("/apiKeys/*/name")]).toEqual(["/features", "/apiKeys/*/name"]);
});

/** The path of each member, at any depth: an optional one that one side lacks fits the other's type. */
type MemberOf<Value> = Value extends readonly (infer Element)[]
  ? `/*${MemberOf<Element>}`
  : Value extends object
    ? {
        [Name in keyof Value & string]-?: `/${string extends Name ? "*" : Name}${"" | MemberOf<Value[Name]>}`;
      }[keyof Value & string]
    : never;

/** Zod infers lists that can be changed. */
type Writable<Value> = Value extends object
  ? { -readonly [Member in keyof Value]: Writable<Value[Member]> }
  : Value;

it("invoke calls a function with an event, and rejects one that does not exist", async () => {
  const path = "/api/admin/projects/default/features/checkout/variants";
  const event = toEvent({ method: "GET", path, headers: { authorization: demo.keys.demo } });

  const { statusCode, headers, body } = await demo.invoke("variants", event);

  expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
  expect(JSON.parse(body ?? "").variants).toHaveLength(2);
  await expect(demo.invoke("nothing" as "tags", {})).rejects.toThrow('there is no function "nothing"');
  expect((await demo.invoke("tags", null as unknown as object)).statusCode).toBe(400);
});

it("a call leaves nothing in memory once it has returned", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const results = await Promise.all(times(20, async () => new WeakRef(await demo.invoke("tags", {}))));

  await setTimeout(10);
  collect();

  expect(results.map((result) => result.deref())).toEqual(times(20, () => undefined));
});

it("reset restores the first state, or stores another", async () => {
  await putTag(demo.url, "checkout", "new");

  await demo.reset();
  expect(await tagsOf(demo)).toEqual(tagged("team-a"));
  await demo.reset(own);

  expect((await getTags(demo, demo.keys.demo)).status).toBe(401);
  expect((await getTags(demo, "a key of ours, long enough", "banner")).status).toBe(200);
});

it("reset lets nothing of a request that was open before it into the new state", async () => {
  const open = times(20, (number) => putTag(demo.url, "checkout", `tag-${number}`));
  await Promise.all([...open, demo.reset()]);
  await demo.reset();

  expect(await tagsOf(demo)).toEqual(tagged("team-a"));
});

it("reset keeps what is stored when the state is invalid", async () => {
  const state = { features: [{ name: "a", project: "b" }] };
  await expect(demo.reset(state)).rejects.toThrow("/features/0/project");
  await expect(demo.reset("state.json" as State)).rejects.toThrow("reset takes a state, not the path of one");
  expect((await getTags(demo, demo.keys.demo)).status).toBe(200);
});

it("serves the documents of SDKs, each with what was stored just before", async () => {
  const headers = { authorization: demo.keys.demo, "content-type": "application/json" };
  const load = async (name: string) => {
    const path = `/api/projects/default/environments/production/${name}`;
    return (await fetch(`${demo.url}${path}`, { headers })).json() as Promise<Record<string, unknown>>;
  };
  const before = [await load("client/features"), await load("flagd.json")];

  await fetch(`${demo.url}/api/admin/projects/default/features/checkout/variants?by=name`, {
    method: "PATCH",
    headers,
    body: JSON.stringify([{ op: "replace", path: "", value: { amber: { weight: 1000 } } }]),
  });
  const after = [await load("client/features"), await load("flagd.json")];
  await demo.reset();

  expect(after.map((document) => JSON.stringify(document).includes("amber"))).toEqual([true, true]);
  expect([await load("client/features"), await load("flagd.json")]).toEqual(before);
});

it("SDKs see a feature of the state as off, and as on once it is switched on", async () => {
  const production = { enabled: false, variants: [{ name: "blue", weight: 1000 }] };
  const { url, keys } = await start({
    state: {
      projects: [{ id: "default", environments: ["production"] }],
      features: [{ name: "checkout", project: "default", environments: { production } }],
      apiKeys: [{ name: "demo", key: demoKey, permissions: [{ permission: "ADMIN" }] }],
    },
  });
  const { unleash, core } = await startSdks(url);
  const seen = () => [
    unleash.isEnabled("checkout"),
    core.resolveStringEvaluation("checkout", "none", { targetingKey: "u" }).value,
  ];
  expect(seen()).toEqual([false, "none"]);

  await fetch(`${url}/api/admin/projects/default/features/checkout/environments/production/on`, {
    method: "POST",
    headers: { authorization: keys.demo },
  });

  await expect.poll(seen, { timeout: 10_000 }).toEqual([true, "blue"]);
}, 20_000);

/** A program of another project, which prints its addresses. */
const program = `import { startBurgee } from ${JSON.stringify(path.resolve("dist/tools/start-burgee.mjs"))};
const { url, engine, invoke, stop } = await startBurgee();
console.log(url, engine);`;

const isThere = async (url: string) => (await fetch(url).catch(() => undefined)) !== undefined;

it.each([
  ["stop", "await stop(); await stop();", 0],
  ["a process that never calls stop", "", 0],
  ["a process that is killed", 'setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);', null],
])("after %s: no process and no file", async (_, script, code) => {
  const cwd = newFolder();
  const temporary = newFolder().path;
  cwd.file("test.mjs", Buffer.from(`${program} ${script}`));

  const run = await runNode(["test.mjs"], { cwd: cwd.path, env: { ...process.env, TMPDIR: temporary } });

  const urls = run.out.trim().split(" ");
  expect([run.code, urls.length]).toEqual([code, 2]);
  await expect.poll(() => Promise.all(urls.map(isThere)), { timeout: 5000 }).toEqual([false, false]);
  await expect.poll(() => readdirSync(temporary), { timeout: 5000 }).toEqual([]);
});
