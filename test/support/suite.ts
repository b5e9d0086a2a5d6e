/** The configuration of a suite of its own, which needs more than `npm test` does. */
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
      // Tests that wait leave the processor to others.
      maxWorkers: availableParallelism() + 1,
      testTimeout: 120_000,
      hookTimeout: 300_000,
      ...rest,
    },
  });
}
