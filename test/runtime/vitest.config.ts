/** Vitest's configuration of the tests under Lambda's runtime client. Building it needs cmake, g++, make, python3 and xz. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/runtime/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: [
      "test/support/temporary.ts",
      "test/support/engine.ts",
      "test/support/build.ts",
      "test/runtime/runtime-client.ts",
    ],
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      AWS_PROFILE: "",
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
    },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
