/** `startBurgee` of "burgee/local", as another project's tests use it. */
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { type Burgee, type State, startBurgee } from "burgee/local";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type * as z from "zod/mini";
import type { stateSchema } from "../../../infra/state/state.ts";
import { toEvent } from "../../support/event.ts";
import { times } from "../../support/patching.ts";
import { type Run, runNode } from "../../support/program.ts";
import { tag } from "../../support/seed.ts";
import { putTag } from "../../support/server.ts";
import { newFolder } from "../admin/command-line.ts";

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

const tagged = (...values: string[]) => ({ version: 1, tags: values.map((value) => tag(value)) });

describe("startBurgee", () => {
  it("serves the demo's state when none is given", async () => {
    expect(await tagsOf(demo)).toEqual(tagged("team-a"));
  });

  it("serves the given state, and names its keys", async () => {
    const burgee = await start({ state: own });

    expect(burgee.keys).toEqual({ ci: "a key of ours, long enough" });
    expect((await getTags(burgee, burgee.keys.ci, "banner")).status).toBe(200);
    expect((await getTags(burgee, burgee.keys.ci)).status).toBe(404);
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
    await putTag(one.url, "checkout", "of-one");

    expect(await tagsOf(one)).toEqual(tagged("of-one", "team-a"));
    expect(await tagsOf(other)).toEqual(tagged("team-a"));
    vi.unstubAllEnvs();
  });

  it("passes on each line that the functions log", async () => {
    const lines: string[] = [];

    await tagsOf(await start({ log: (line) => lines.push(line) }));

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
    const path = "/api/admin/projects/default/features/checkout/variants";
    const event = toEvent({ method: "GET", path, headers: { authorization: demo.keys.demo } });

    const { statusCode, headers, body } = await demo.invoke("variants", event);

    expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(JSON.parse(body ?? "").variants).toHaveLength(2);
  });

  it("rejects a function that does not exist", async () => {
    await expect(demo.invoke("nothing" as "tags", {})).rejects.toThrow('there is no function "nothing"');
  });
});

describe("reset", () => {
  it("restores the first state, or stores another", async () => {
    await putTag(demo.url, "checkout", "new");

    await demo.reset();
    expect(await tagsOf(demo)).toEqual(tagged("team-a"));
    await demo.reset(own);

    expect((await getTags(demo, demo.keys.demo)).status).toBe(401);
    expect((await getTags(demo, "a key of ours, long enough", "banner")).status).toBe(200);
  });

  it("lets nothing of a request that was open before it into the new state", async () => {
    const open = times(20, (number) => putTag(demo.url, "checkout", `tag-${number}`));
    await Promise.all([...open, demo.reset()]);
    await demo.reset();

    expect(await tagsOf(demo)).toEqual(tagged("team-a"));
  });

  it("keeps what is stored when the state is invalid", async () => {
    const state = { features: [{ name: "a", project: "b" }] };

    await expect(demo.reset(state)).rejects.toThrow("/features/0/project");
    expect((await getTags(demo, demo.keys.demo)).status).toBe(200);
  });
});

/** A project's test process in a folder of its own, with temporary files of its own. */
async function runElsewhere(code: string): Promise<Run & { temporary: string }> {
  const { path: cwd, file } = newFolder();
  const temporary = path.join(cwd, "temporary");
  mkdirSync(temporary);
  const entry = JSON.stringify(path.resolve("dist/tools/start-burgee.mjs"));
  file("test.mjs", Buffer.from(`import { startBurgee } from ${entry};\n${code}`));
  const run = await runNode(["test.mjs"], { cwd, env: { ...process.env, TMPDIR: temporary } });
  return { ...run, temporary };
}

const isThere = async (url: string) => (await fetch(url).catch(() => undefined)) !== undefined;

describe("what is left behind", () => {
  const print = "const { url, engine, stop } = await startBurgee(); console.log(url, engine);";

  it.each([
    ["stop", "await stop(); await stop();", 0],
    ["a process that never calls stop", "", 0],
    ["a process that throws", 'throw new Error("no");', 1],
    ["a process that is killed", 'setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);', null],
  ])("after %s: no process and no file", async (_, script, expected) => {
    const { code, out, temporary } = await runElsewhere(`${print} ${script}`);

    expect(code).toBe(expected);
    const urls = out.trim().split(" ");
    expect(urls).toHaveLength(2);
    await expect.poll(() => Promise.all(urls.map(isThere)), { timeout: 5000 }).toEqual([false, false]);
    await expect.poll(() => readdirSync(temporary), { timeout: 5000 }).toEqual([]);
  });

  it("a call after stop is rejected", async () => {
    const { reset, stop } = await start();

    await stop();

    await expect(reset()).rejects.toThrow("this Burgee has ended");
  });
});
