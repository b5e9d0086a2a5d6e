/** A deployment to an emulator of AWS, from the first to the removal. Python 3 and a network are needed, once. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/emulator/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/support/temporary.ts", "test/support/build.ts", "test/emulator/tools.ts"],
    // Each step stands on those before it.
    bail: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
