/** Vitest's configuration of `npm run soak`, which runs for SOAK_SECONDS. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/soak/*.soak.ts"],
    globalSetup: ["test/support/temporary.ts", "test/support/engine.ts", "test/support/build.ts"],
    setupFiles: "test/support/quiet.ts",
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      AWS_PROFILE: "",
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
    },
    testTimeout: 3_600_000,
    fileParallelism: false,
  },
});
