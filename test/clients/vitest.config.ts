/** Real SDKs, and generated clients. They need a network once, and the generated ones Java 17 and Python 3. */
import { suite } from "../support/suite.ts";

export default suite("clients");
