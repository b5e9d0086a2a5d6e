/** The tests that mutants of lib are run against. */
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

export default defineConfig({
  test: {
    // HTTP tests cost half a second per mutant, so only those of rules that no unit test covers.
    include: [
      "test/unit/**/*.test.ts",
      "test/infra/reference/document.test.ts",
      "test/http/variants/{by-name,dry-run,environments,idempotency-key,long-history,patch,reason-and-hint,undo}.test.ts",
      "test/http/switch/switch.test.ts",
      "test/http/features/create.test.ts",
      "test/http/guards/{false-alarms,guarding,trip}.test.ts",
      "test/http/moves/{most-moves,moves}.test.ts",
      "test/http/strategies/{aspects,dependencies,strategies,unleash}.test.ts",
      "test/http/tags/tags.test.ts",
      "test/http/protocol/{failures,paths,preconditions,reads}.test.ts",
      "test/http/read/lists.test.ts",
      "test/http/access/{access,permissions}.test.ts",
      "test/store/{calls,races}.test.ts",
    ],
    // These measure time, or do not test the mutated code.
    exclude: [
      "test/unit/service.test.ts",
      "test/unit/**/{hostile,*-cost}.test.ts",
      "test/unit/documents/moves.test.ts",
    ],
    isolate: false,
    globalSetup: "test/support/engine.ts",
    setupFiles: ["test/support/quiet.ts", "test/mutation/setup.ts"],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    sequence: { sequencer: MostLikelyFirst },
    reporters: [new LoadFailures()],
  },
});
