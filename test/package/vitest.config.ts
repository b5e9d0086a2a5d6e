/** The tests of what npm starts and packs. Those of the package need the npm registry once. */
import { suite } from "../support/suite.ts";

export default suite("package");
