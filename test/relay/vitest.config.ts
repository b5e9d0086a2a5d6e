/** The test of the relay of infra/examples/relay, which needs Debian's nginx. */
import { suite } from "../support/suite.ts";

export default suite("relay", ["test/support/engine.ts"]);
