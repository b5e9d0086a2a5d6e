/** The tests of the packed package, which need the npm registry once. */
import { suite } from "../support/suite.ts";

export default suite("package");
