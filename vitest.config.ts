import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/{browser,deploy,emulator,package,runtime}/**"],
    // Each test is a sentence; together they say what the service does.
    reporters: "tree",
    // Loading the SDK afresh for each file would take half of the time; services are opened apart anyway.
    isolate: false,
    globalSetup: ["test/support/temporary.ts", "test/support/engine.ts", "test/support/build.ts"],
    setupFiles: "test/support/quiet.ts",
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // What reads short of 100 % here, and why: the parts of lib/store that only the command line uses, which its
    // tests run in processes of their own; and the other half of `?? fallback` for an element that the types cannot
    // tell to be there, of a cause that is no Error, and of a check that Zod would run asynchronously.
    coverage: { include: ["lib/**", "functions/**"], reporter: ["text-summary", "text"], skipFull: true },
  },
});
