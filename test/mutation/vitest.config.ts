/** The tests that each mutant is held to: all that are about lib/features and lib/contract and take no long time. */
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Unit tests judge a mutant in milliseconds, and what they kill need not go through the door. */
class UnitTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ moduleId }: TestSpecification) => moduleId.includes("/test/unit/");
    return [...files.filter(isUnit), ...files.filter((file) => !isUnit(file))];
  }
}

const elsewhere = ["authentication", "body-size", "events", "failures", "json", "log", "operations", "paths"];

export default defineConfig({
  test: {
    include: ["test/unit/{,contract/,patch/}*.test.ts", "test/http/*.test.ts", "test/store/resume.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      "test/unit/patch/hostile.test.ts",
      ...elsewhere.map((name) => `test/http/${name}.test.ts`),
    ],
    isolate: false,
    sequence: { sequencer: UnitTestsFirst },
    globalSetup: "test/support/engine.ts",
    setupFiles: "test/support/quiet.ts",
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
