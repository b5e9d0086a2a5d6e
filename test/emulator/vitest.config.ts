/** Vitest's configuration of the deployments to an emulator. They need Python 3, and a network once. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/emulator/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/support/temporary.ts", "test/support/build.ts", "test/emulator/tools.ts"],
    // Each step depends on the previous ones.
    bail: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
