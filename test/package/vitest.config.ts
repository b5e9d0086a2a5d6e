/** The tests of what npm runs and packs, which need the npm registry once. */
import { suite } from "../support/suite.ts";

export default suite("package");
