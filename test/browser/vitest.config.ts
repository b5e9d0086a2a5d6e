/** Tests that need more than Node and npm: a Chromium, a terminal, a download. */
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run screenshots` takes the pictures of the README.
    include: [mode === "screenshots" ? "test/browser/screenshots.ts" : "test/browser/*.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: ["test/browser/chromium.ts", "test/support/temporary.ts", "test/support/build.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
}));
