/** What these tests need beyond `npm ci`, fetched into .cache where it is not there yet. */
import { fetchFramework } from "../../infra/deploy/framework.ts";
import { fetchPythonProgram, pythonProgram } from "../support/python-program.ts";

export const cfnLint = pythonProgram("cfn-lint");

export default function fetchTools(): void {
  fetchFramework();
  fetchPythonProgram("cfn-lint", "test/deploy/requirements.txt");
}
