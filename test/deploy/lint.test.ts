/** cfn-lint checks what schemas cannot express: references, values by region, retired runtimes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { everyOption, stages, synthesise, type Template } from "./synthesis.ts";
import { cfnLint } from "./tools.ts";

function lint(template: Template): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "template.json");
  writeFileSync(file, JSON.stringify(template, null, 2));
  const options = ["--config-file", "test/deploy/cfnlint.yaml", "--regions", "us-east-1", "eu-central-1"];
  const { status, stdout, stderr } = spawnSync(cfnLint, [...options, "--", file], { encoding: "utf8" });
  return `${stdout}${stderr}exit code ${status}`;
}

it.each(stages)("finds nothing in the template of %s", (stage) => {
  expect(lint(synthesise(stage))).toBe("exit code 0");
});

it("finds nothing with all options on", () => {
  expect(lint(synthesise("prod", everyOption))).toBe("exit code 0");
});

it("finds a dangling reference", () => {
  const template = synthesise("dev");
  template.Outputs.TableName = { Value: { Ref: "Tabel" } };

  expect(lint(template)).toContain("Tabel");
});
