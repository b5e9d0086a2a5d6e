/** cfn-lint checks each template by AWS's schemas of resources, and what these cannot express. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { newFolder } from "../infra/clients/admin/command-line.ts";
import { fileOf, names, readWhole } from "./templates.ts";

function lint(...files: string[]): string {
  const programs = fetchPython("cfn-lint", "test/deploy/requirements.txt");
  const options = ["--config-file", "test/deploy/cfnlint.yaml", "--regions", "us-east-1", "eu-central-1"];
  const { status, stdout, stderr } = spawnSync(
    path.join(programs, "cfn-lint"),
    [...options, "--", ...files],
    {
      encoding: "utf8",
    },
  );
  return `${stdout}${stderr}exit code ${status}`;
}

it("finds nothing in the template of any stage, whatever its settings, nor in that of an account", () => {
  expect(lint("infra/aws/bootstrap.yml", ...names.map(fileOf))).toBe("exit code 0");
});

it("finds a dangling reference and an unknown property", () => {
  const broken = readWhole("dev");
  broken.Outputs.TableName = { Value: { Ref: "Tabel" } };
  Object.assign(broken.Resources.Table?.Properties, { Typo: true });

  expect(lint(newFolder().file("template.json", broken))).toMatch(/'Typo' was unexpected.*'Tabel' is not/s);
});
