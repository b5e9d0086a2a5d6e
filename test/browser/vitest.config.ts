/** The tests that need a Chromium and a terminal; `npm run screenshots` takes the pictures of the README. */
import { defineConfig } from "vitest/config";
import { suite } from "../support/suite.ts";

export default defineConfig(({ mode }) =>
  suite(
    "browser",
    ["test/browser/chromium.ts"],
    mode === "screenshots" ? { include: ["test/browser/screenshots.ts"] } : {},
  ),
);
