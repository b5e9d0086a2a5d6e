/** `startBurgee` of "burgee/local", as another project's tests use it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type Burgee, type State, startBurgee } from "burgee/local";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type * as z from "zod/mini";
import type { stateSchema } from "../../../infra/state/state.ts";
import { toEvent } from "../../support/event.ts";

const own = {
  projects: [{ id: "mine", environments: ["live"] }],
  features: [{ name: "banner", project: "mine" }],
  apiKeys: [{ name: "ci", key: "a key of ours, long enough", permissions: [{ permission: "ADMIN" }] }],
} as const satisfies State;

const started: Burgee[] = [];

/** The demo's, for tests that need no start of their own. */
let demo: Burgee<"demo">;
beforeAll(async () => {
  demo = await startBurgee();
});
beforeEach(() => demo.reset());
afterAll(() => demo.stop());

async function start<const Name extends string = "demo">(options?: {
  state?: State<Name>;
  log?: (line: string) => void;
}): Promise<Burgee<Name>> {
  const burgee = await startBurgee(options);
  started.push(burgee);
  return burgee;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

const tagsOf = (url: string, key: string, feature = "checkout") =>
  fetch(`${url}/api/admin/features/${feature}/tags`, { headers: { authorization: key } });

const putTag = (url: string, key: string, value: string) =>
  fetch(`${url}/api/admin/features/checkout/tags`, {
    method: "PUT",
    headers: { authorization: key, "content-type": "application/json" },
    body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
  });

describe("startBurgee", () => {
  it("serves the demo's state when none is given", async () => {
    const { url, keys } = demo;

    const response = await tagsOf(url, keys.demo);

    expect(await response.json()).toEqual({ version: 1, tags: [{ type: "simple", value: "team-a" }] });
  });

  it("serves the given state, and names its keys", async () => {
    const { url, keys } = await start({ state: own });

    expect(keys).toEqual({ ci: "a key of ours, long enough" });
    expect((await tagsOf(url, keys.ci, "banner")).status).toBe(200);
    expect((await tagsOf(url, keys.ci)).status).toBe(404);
  });

  it("rejects an invalid state with what is wrong about it, and leaves no process", async () => {
    const state = { projects: [{ id: "", environments: [] }], features: [{ name: "a", project: "b" }] };

    await expect(startBurgee({ state })).rejects.toThrow(
      /^the state is not a state file:\n {2}\/projects\/0\/id must not be empty/,
    );
  });

  it("keeps two in one process apart, whatever the environment of that process says", async () => {
    vi.stubEnv("TABLE_NAME", "another");
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1");

    const [one, other] = await Promise.all([start(), start()]);
    await putTag(one.url, one.keys.demo, "of-one");

    const tags = await Promise.all([one, other].map(async ({ url, keys }) => tagsOf(url, keys.demo)));
    expect(await tags[0]?.json()).toMatchObject({ tags: [{ value: "of-one" }, { value: "team-a" }] });
    expect(await tags[1]?.json()).toMatchObject({ tags: [{ value: "team-a" }] });
    vi.unstubAllEnvs();
  });

  it("passes on each line that the functions log", async () => {
    const lines: string[] = [];
    const { url, keys } = await start({ log: (line) => lines.push(line) });

    await tagsOf(url, keys.demo);

    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ status: 200, key: "demo" });
  });

  it("has types that accept what the schema accepts", () => {
    const accepts = (state: State): z.input<typeof stateSchema> => structuredClone(state) as Writable<State>;
    const isAccepted = (state: z.input<typeof stateSchema>): State => state;

    expect([accepts(own), isAccepted({})]).toEqual([own, {}]);
  });
});

/** Zod infers lists that can be changed. */
type Writable<Value> = Value extends object
  ? { -readonly [Member in keyof Value]: Writable<Value[Member]> }
  : Value;

describe("invoke", () => {
  it("calls a function with an event", async () => {
    const { invoke, keys } = demo;
    const event = toEvent({
      method: "GET",
      path: "/api/admin/projects/default/features/checkout/variants",
      headers: { authorization: keys.demo },
    });

    const { statusCode, headers, body } = await invoke("variants", event);

    expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(JSON.parse(body ?? "").variants).toHaveLength(2);
  });

  it("rejects a function that does not exist", async () => {
    const { invoke } = demo;

    await expect(invoke("nothing" as "tags", {})).rejects.toThrow('there is no function "nothing"');
  });
});

describe("reset", () => {
  it("restores the first state, or stores another", async () => {
    const { url, keys, reset } = demo;
    await putTag(url, keys.demo, "new");

    await reset();
    expect(await (await tagsOf(url, keys.demo)).json()).toMatchObject({ tags: [{ value: "team-a" }] });
    await reset(own);

    expect((await tagsOf(url, keys.demo)).status).toBe(401);
    expect((await tagsOf(url, "a key of ours, long enough", "banner")).status).toBe(200);
  });

  it("lets nothing of a request that was open before it into the new state", async () => {
    const { url, keys, reset } = demo;

    const open = Array.from({ length: 20 }, (_, number) => putTag(url, keys.demo, `tag-${number}`));
    await Promise.all([...open, reset()]);
    await reset();

    expect(await (await tagsOf(url, keys.demo)).json()).toMatchObject({ tags: [{ value: "team-a" }] });
  });

  it("keeps what is stored when the state is invalid", async () => {
    const { url, keys, reset } = demo;

    await expect(reset({ features: [{ name: "a", project: "b" }] })).rejects.toThrow("/features/0/project");

    expect((await tagsOf(url, keys.demo)).status).toBe(200);
  });
});

/** A project's test process in a folder of its own, with temporary files of its own. */
function runElsewhere(code: string): { child: ChildProcess; temporary: string; out: Promise<string> } {
  const cwd = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  const temporary = path.join(cwd, "temporary");
  mkdirSync(temporary);
  const entry = path.resolve("dist/tools/start-burgee.mjs");
  writeFileSync(path.join(cwd, "test.mjs"), `import { startBurgee } from ${JSON.stringify(entry)};\n${code}`);
  const child = spawn(process.execPath, ["test.mjs"], { cwd, env: { ...process.env, TMPDIR: temporary } });
  return { child, temporary, out: text(child.stdout) };
}

const isThere = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe("what is left behind", () => {
  const print = "const { url, engine, stop } = await startBurgee(); console.log(url, engine);";

  it.each([
    ["after stop", `${print} await stop(); await stop();`, undefined],
    ["after a process that never calls stop", print, undefined],
    ["after a process that throws", `${print} throw new Error("no");`, undefined],
    [
      "after a process that is killed",
      `${print} setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);`,
      "SIGKILL",
    ],
  ])("%s: no process and no file", async (_, code, signal) => {
    const { child, temporary, out } = runElsewhere(code);

    const [, endedBy] = await once(child, "exit");

    expect(endedBy ?? undefined).toBe(signal);
    const urls = (await out).trim().split(" ");
    expect(urls).toHaveLength(2);
    await vi.waitFor(
      async () =>
        expect([await Promise.all(urls.map(isThere)), readdirSync(temporary)]).toEqual([[false, false], []]),
      { timeout: 5000 },
    );
  });

  it("a call after stop is rejected", async () => {
    const { reset, stop } = await start();

    await stop();

    await expect(reset()).rejects.toThrow("this Burgee has ended");
  });
});
