/** Vitest's configuration of the deployments to an emulator. They need Python 3, a Chromium, and a network once. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/emulator/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: [
      "test/browser/chromium.ts",
      "test/support/temporary.ts",
      "test/support/build.ts",
      "test/emulator/stage.ts",
    ],
    execArgv: ["--require", "./test/emulator/resolve-localhost.cjs"],
    // Each test depends on the previous ones of its file.
    bail: 1,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
