/** Vitest's configuration of a suite that `npm test` leaves out: it takes long, or needs another tool. */
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";

export function suite(
  name: string,
  globalSetup: string[] = [],
  rest: ViteUserConfig["test"] = {},
): ViteUserConfig {
  return defineConfig({
    test: {
      include: [`test/${name}/*.test.ts`],
      exclude: configDefaults.exclude,
      globalSetup: ["test/support/temporary.ts", "test/support/build.ts", ...globalSetup],
      // One more than processors: while a test waits for a process, another one runs.
      maxWorkers: availableParallelism() + 1,
      testTimeout: 120_000,
      hookTimeout: 300_000,
      ...rest,
    },
  });
}
