/** The tests of `npm test` that use its engine, on Amazon's own. It needs Java 17, and a network once. */
import { defineConfig } from "vitest/config";
import main from "../../vitest.config.ts";
import { filesUsingEngine } from "./using-engine.ts";

export default defineConfig(async () => ({
  test: {
    ...main.test,
    include: await filesUsingEngine(["test/explore", "test/http", "test/infra", "test/store", "test/unit"]),
  },
}));
