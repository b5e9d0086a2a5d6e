/** The tests of what is deployed, which fetch the framework, cfn-lint and the AWS CLI once, and need Python. */
import { suite } from "../support/suite.ts";

export default suite("deploy", ["test/deploy/templates.ts"]);
