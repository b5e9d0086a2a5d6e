/** cfn-lint checks each template by AWS's schemas of resources, and what these cannot express. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { fileOf, names, propertiesOf, readTemplate, type Template } from "./templates.ts";
import { cfnLint } from "./tools.ts";

function lint(...files: string[]): string {
  const options = ["--config-file", "test/deploy/cfnlint.yaml", "--regions", "us-east-1", "eu-central-1"];
  const { status, stdout, stderr } = spawnSync(cfnLint, [...options, "--", ...files], { encoding: "utf8" });
  return `${stdout}${stderr}exit code ${status}`;
}

it("finds nothing in the template of any stage or option", () => {
  expect(names).toEqual(expect.arrayContaining(["prod", "staging", "dev", "every", "first", "switched"]));
  expect(lint(...names.map(fileOf))).toBe("exit code 0");
});

it("finds a dangling reference, an unknown property, a missing one, and a wrong type", () => {
  const broken: Template = readTemplate("dev");
  broken.Outputs.TableName = { Value: { Ref: "Tabel" } };
  propertiesOf(broken, "Table").SSESpecification.Type = "KMS";
  Reflect.deleteProperty(propertiesOf(broken, "HttpApiStage"), "ApiId");
  propertiesOf(broken, "TagsLambdaFunction").Architectures = [64];
  const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "template.json");
  writeFileSync(file, JSON.stringify(broken, null, 2));

  const found = lint(file);

  for (const fault of ["Tabel", "'Type' was unexpected", "'ApiId' is a required property", "64 is not"]) {
    expect(found).toContain(fault);
  }
});
