import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/{browser,clients,deploy,emulator,package,relay,runtime}/**"],
    // Prints the name of each test.
    reporters: "tree",
    // Loading the SDK again for each file would take half of the time; each file opens its own service anyway.
    isolate: false,
    // Some tests wait, for a process or for a time that an operator waits too: then another file has the processor.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/support/temporary.ts", "test/support/engine.ts", "test/support/build.ts"],
    setupFiles: "test/support/quiet.ts",
    // A profile would take precedence over the keys that the tests set for their engine.
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      AWS_PROFILE: "",
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
    },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Not covered: the parts of lib/store that only the command line or the bundles use, whose tests run in processes
    // of their own or load the bundles; the other branch of `?? fallback` for an element that always exists, which
    // the types cannot express; a cause that is not an Error; and a check that Zod would run asynchronously.
    coverage: { include: ["lib/**", "functions/**"], reporter: ["text-summary", "text"], skipFull: true },
  },
});
