/** The tests of a file, loaded and ready to be run one by one, any number of times. */
import { collectTests, getFn, getHooks } from "./vitest.mjs";

/**
 * @typedef {{ id: string, name: string, run: () => Promise<void> }} Test
 * @typedef {import("@vitest/runner").Test} Task
 * @typedef {import("@vitest/runner").Suite} Group
 */

const config = {
  name: "",
  setupFiles: [],
  sequence: { shuffle: false, hooks: "stack", setupFiles: "list" },
  testTimeout: 5000,
  hookTimeout: 20_000,
  retry: 0,
  tags: [],
  includeTaskLocation: false,
  allowOnly: true,
};

/**
 * What several tests have in common is prepared once, before the first of them.
 * @param {string} file
 * @param {string} url
 * @param {(prepare: () => Promise<void>) => Promise<void>} preparing
 */
export async function loadTests(file, url, preparing) {
  const root = process.cwd();
  /** @type {(name: string, attributes: object, run: () => unknown) => unknown} */
  const trace = (_name, _attributes, run) => run();
  const runner = { config: { ...config, root }, pool: "threads", importFile: () => import(url), trace };
  const [loaded] = await collectTests([`${root}/${file}`], runner);
  if (loaded.result?.state === "fail") throw new Error(`${file}: ${loaded.result.errors[0].stack}`);
  /** @type {Set<Group>} */
  const prepared = new Set();
  /** @type {Map<string, number>} */
  const names = new Map();

  return { tests: tasksIn(loaded).map(toTest), close };

  /** @param {Task} task @returns {Test} */
  function toTest(task) {
    const name = [...groupsOf(task).map(({ name }) => name), task.name].join(" ");
    const namesakes = names.get(name) ?? 0;
    names.set(name, namesakes + 1);
    return { id: `${file}#${name}${namesakes ? ` (${namesakes})` : ""}`, name, run: () => run(task) };
  }

  /** @param {Task} task */
  async function run(task) {
    const groups = [loaded, ...groupsOf(task)];
    for (const group of groups.filter((group) => !prepared.has(group))) {
      prepared.add(group);
      await preparing(async () => {
        for (const hook of getHooks(group).beforeAll) await hook(group);
      });
    }
    try {
      for (const group of groups)
        for (const hook of getHooks(group).beforeEach) await hook(task.context, group);
      await getFn(task)();
    } finally {
      for (const group of groups.toReversed()) {
        for (const hook of getHooks(group).afterEach) await hook(task.context, group);
      }
    }
  }

  async function close() {
    for (const group of [...prepared].reverse()) {
      for (const hook of getHooks(group).afterAll) await hook(group);
    }
  }
}

/** @param {Group} group @returns {Task[]} */
function tasksIn({ tasks }) {
  return tasks.flatMap((task) => (task.type === "test" ? task : tasksIn(task)));
}

/** From the outermost. @param {Task | Group} task @returns {Group[]} */
function groupsOf({ suite }) {
  return suite ? [...groupsOf(suite), suite] : [];
}
