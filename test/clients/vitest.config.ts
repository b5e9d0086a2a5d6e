/** SDKs and generated clients, which need Java 17, Python 3, and a network once. */
import { suite } from "../support/suite.ts";

export default suite("clients");
