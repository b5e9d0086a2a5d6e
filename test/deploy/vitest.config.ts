/** The tests of what is deployed, which fetch the framework and cfn-lint once, and need Python. */
import { suite } from "../support/suite.ts";

export default suite("deploy", ["test/deploy/templates.ts"]);
