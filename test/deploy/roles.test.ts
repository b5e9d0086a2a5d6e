/** What the functions may do, as it is deployed. That it is what they do is tested beside the other tests of infra. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { operationsOf, type Role, statementsOf } from "../support/policy.ts";
import { stages, synthesise } from "./synthesis.ts";

const sources: Record<string, Role> = parse(readFileSync("infra/roles.yml", "utf8")).Resources;
const templates = stages.map((stage) => ({ stage, template: synthesise(stage) }));

/** The one "*" that AWS leaves no way around: X-Ray has no resources that a policy could name for these actions. */
const traces = {
  Effect: "Allow",
  Action: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
  Resource: "*",
};

describe.each(templates)("$stage", ({ template }) => {
  const roles = ["Tags", "Variants"].map((name) => ({
    name,
    role: template.Resources[`${name}Role`] as Role,
    log: { "Fn::GetAtt": [`${name}LogGroup`, "Arn"] },
  }));

  it.each(roles)(
    "the role of $name permits the calls that its function was seen to make, of the one table",
    ({ name, role }) => {
      const source = sources[`${name}Role`] as Role;
      const [table] = statementsOf(role).filter(({ Action }) => String(Action).startsWith("dynamodb:"));

      expect(operationsOf(role, "dynamodb")).toEqual(operationsOf(source, "dynamodb"));
      expect(table?.Resource).toEqual({
        "Fn::Sub": [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills them in.
          "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${Name}",
          { Name: { Ref: "Table" } },
        ],
      });
    },
  );

  it.each(roles)(
    "the role of $name permits to write the function's own log, and no more",
    ({ role, log }) => {
      const [table, ...others] = statementsOf(role);

      expect(table?.Effect).toBe("Allow");
      expect(others).toEqual([
        { Effect: "Allow", Action: ["logs:CreateLogStream", "logs:PutLogEvents"], Resource: log },
        traces,
      ]);
    },
  );

  it.each(roles)('the role of $name has no "*" but that of the traces', ({ role }) => {
    const others = statementsOf(role).filter(({ Action }) => !String(Action).startsWith("xray:"));

    expect(others).toHaveLength(2);
    expect(JSON.stringify(others)).not.toContain("*");
    expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
  });
});
