/** Vitest's configuration of the tests of what is deployed. They fetch the framework and cfn-lint once, and need Python. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/deploy/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/support/temporary.ts", "test/support/build.ts", "test/deploy/templates.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
