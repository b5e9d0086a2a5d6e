/** Vitest's configuration of the generated clients, which need Java 17, Python 3, and a network once. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/clients/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/support/temporary.ts", "test/support/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
