/** The tests of a file, loaded and ready to be run one by one, any number of times. */
import { collectTests, getFn, getHooks } from "./vitest.mjs";

/** @typedef {{ id: string, name: string, file: string, run: () => Promise<void> }} Test */

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
 * What is common to the tests of a file is prepared once, before the first of them.
 * @param {string} file @param {string} url @param {(prepare: () => Promise<void>) => Promise<void>} preparing
 * @returns {Promise<{ tests: Test[], close: () => Promise<void> }>}
 */
export async function loadTests(file, url, preparing) {
  const root = process.cwd();
  const runner = { config: { ...config, root }, pool: "threads", importFile: () => import(url), trace: (_, __, run) => (run ?? __)() };
  const [loaded] = await collectTests([`${root}/${file}`], runner);
  if (loaded.result?.state === "fail") throw new Error(`${file}: ${loaded.result.errors[0].stack}`);
  /** @type {Set<any>} */
  const prepared = new Set();
  const names = new Map();

  return {
    tests: testsOf(loaded).map((task) => {
      const name = lineage(task).map(({ name }) => name).join(" ");
      const before = names.get(name) ?? 0;
      names.set(name, before + 1);
      const id = `${file}#${name}${before ? ` (${before})` : ""}`;
      return { id, name, file, run: () => runTest(task) };
    }),
    async close() {
      for (const suite of [...prepared].reverse()) for (const hook of getHooks(suite).afterAll) await hook(suite);
    },
  };

  async function runTest(task) {
    const suites = [loaded, ...lineage(task).slice(0, -1)];
    for (const suite of suites) {
      if (prepared.has(suite)) continue;
      prepared.add(suite);
      await preparing(async () => {
        for (const hook of getHooks(suite).beforeAll) await hook(suite);
      });
    }
    try {
      for (const suite of suites) for (const hook of getHooks(suite).beforeEach) await hook(task.context, suite);
      await getFn(task)();
    } finally {
      for (const suite of suites.toReversed())
        for (const hook of getHooks(suite).afterEach) await hook(task.context, suite);
    }
  }
}

function testsOf({ tasks }) {
  return tasks.flatMap((task) => (task.type === "test" ? task : testsOf(task)));
}

function lineage(task) {
  return task.suite ? [...lineage(task.suite), task] : [task];
}
