/** Vitest's configuration of the tests of the packed package. They need the npm registry once. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/package/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/support/temporary.ts", "test/support/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
