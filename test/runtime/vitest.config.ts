/** The tests under Lambda's runtime client. Building it needs cmake, g++, make, python3 and xz. */
import main from "../../vitest.config.ts";
import { suite } from "../support/suite.ts";

export default suite("runtime", ["test/support/engine.ts", "test/runtime/runtime-client.ts"], {
  env: main.test?.env ?? {},
});
