/** The tests that need a Chromium and a terminal; `npm run screenshots` takes the pictures of the README. */
import { defineConfig } from "vitest/config";
import main from "../../vitest.config.ts";
import { suite } from "../support/suite.ts";

export default defineConfig(({ mode }) =>
  suite("browser", ["test/browser/chromium.ts"], {
    env: main.test?.env ?? {},
    // As for `npm test`: loading the SDK again for each file takes time.
    isolate: false,
    ...(mode === "screenshots" && { include: ["test/browser/screenshots.ts"] }),
  }),
);
