/** The tests that mutants of lib are run against. */
import { existsSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import {
  BaseSequencer,
  type Reporter,
  type RunnerTestCase,
  type TestSpecification,
  type Vitest,
} from "vitest/node";

/**
 * The run of a mutant ends with the first failed test, so the tests of the mutated file come first, then those of its
 * folder. Tests that need a database come last.
 */
class MostLikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [mutated = ""] = this.ctx.config.related ?? [];
    const { dir, name } = path.parse(mutated.replace(/^.*\/lib\//, "/test/unit/"));
    const order = [`${dir}/${name}.`, `${dir}/`, "/test/unit/"];
    const rank = ({ moduleId }: TestSpecification) => {
      const at = order.findIndex((part) => moduleId.includes(part));
      return at < 0 ? order.length : at;
    };
    return files.toSorted((left, right) => rank(left) - rank(right));
  }
}

/**
 * Adds a failed test to each file that could not be loaded. Stryker only looks at tests, so a mutant that breaks an
 * import would survive.
 */
class LoadFailures implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(): void {
    for (const file of this.#vitest?.state.getFiles() ?? []) {
      const { result } = file;
      if (!result?.errors?.length) continue;
      const failed = { type: "test", name: "loads", mode: "run", file, suite: file, result };
      file.tasks.push(failed as unknown as RunnerTestCase);
    }
  }
}

// HTTP tests cost half a second per mutant, so only those of rules that no unit test covers.
const include = [
  "test/unit/**/*.test.ts",
  ...existing("test/infra/reference", ["document"]),
  ...existing("test/http/changes", ["dry-run", "idempotency-key", "long-history", "reason-and-hint", "undo"]),
  ...existing("test/http/variants", ["by-name", "environments", "patch"]),
  ...existing("test/http/switch", ["switch"]),
  ...existing("test/http/features", ["create"]),
  ...existing("test/http/guards", ["false-alarms", "guarding", "trip"]),
  ...existing("test/http/moves", ["most-moves", "moves"]),
  ...existing("test/http/strategies", ["aspects", "dependencies", "strategies", "unleash"]),
  ...existing("test/http/tags", ["tags"]),
  ...existing("test/http/protocol", ["failures", "paths", "preconditions", "reads"]),
  ...existing("test/http/read", ["lists"]),
  ...existing("test/http/access", ["access", "permissions"]),
  ...existing("test/store", ["calls", "races"]),
];

// These measure time, or do not test the mutated code.
const exclude = [
  "test/unit/**/{hostile,*-cost}.test.ts",
  ...existing("test/unit", ["service", "documents/moves"]),
];

export default defineConfig({
  test: {
    include,
    exclude,
    isolate: false,
    globalSetup: "test/support/engine.ts",
    setupFiles: ["test/support/quiet.ts", "test/mutation/setup.ts"],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    sequence: { sequencer: MostLikelyFirst },
    reporters: [new LoadFailures()],
  },
});

/** Vitest ignores a pattern that matches no file, so a test that was moved would silently run on no mutant. */
function existing(folder: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const file = `${folder}/${name}.test.ts`;
    if (!existsSync(file)) throw new Error(`${file} does not exist: adapt test/mutation/vitest.config.ts`);
    return file;
  });
}
