import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/browser/**"],
    // Loading the SDK afresh for each file would take half of the time; services are opened apart anyway.
    isolate: false,
    globalSetup: ["test/support/engine.ts", "test/support/build.ts"],
    setupFiles: "test/support/quiet.ts",
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: { include: ["lib/**", "functions/**"], reporter: ["text-summary", "text"], skipFull: true },
  },
});
