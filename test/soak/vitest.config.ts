/** Vitest's configuration of `npm run soak` and `npm run fuzz`. */
import { defineConfig } from "vitest/config";
import main from "../../vitest.config.ts";

const { exclude, coverage, reporters, testTimeout, ...shared } = main.test ?? {};

export default defineConfig({
  test: {
    ...shared,
    include: ["test/{explore,fuzz,soak}/*.soak.ts"],
    testTimeout: 3_600_000,
  },
});
