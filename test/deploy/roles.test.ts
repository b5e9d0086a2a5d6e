/** The deployed permissions of the functions. test/infra/deploy/roles.test.ts compares them with real calls. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { operationsOf, type Role, statementsOf } from "../support/policy.ts";
import { stages, synthesise, type Template } from "./synthesis.ts";

const sources: Record<string, Role> = parse(readFileSync("infra/roles.yml", "utf8")).Resources;
const templates = stages.map((stage) => ({ stage, template: synthesise(stage) }));

/** All grants to the functions except those for traces. CodeDeploy's role is not a function's. */
const grants = ({ Resources }: Template) =>
  Object.entries(Resources).filter(
    ([name, { Type }]) => Type.startsWith("AWS::IAM::") && !["TracesPolicy", "ReleasesRole"].includes(name),
  );

describe.each(templates)("$stage", ({ template }) => {
  const roles = ["Tags", "Variants"].map((name) => ({
    name,
    role: template.Resources[`${name}Role`] as Role,
    log: { "Fn::GetAtt": [`${name}LogGroup`, "Arn"] },
  }));

  it.each(roles)(
    "the role of $name permits exactly the calls that its function makes, on the one table",
    ({ name, role }) => {
      const source = sources[`${name}Role`] as Role;
      const [table] = statementsOf(role);

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

  it.each(roles)("the role of $name permits writing to the function's own log only", ({ role, log }) => {
    const [, ...others] = statementsOf(role);

    expect(others).toEqual([
      { Effect: "Allow", Action: ["logs:CreateLogStream", "logs:PutLogEvents"], Resource: log },
    ]);
    expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
  });

  it('the roles permit no "*", and nothing else grants permissions', () => {
    expect(grants(template).map(([name]) => name)).toEqual(["TagsRole", "VariantsRole"]);
    expect(JSON.stringify(grants(template))).not.toContain("*");
  });

  it('the only "*" is for traces: X-Ray has no resources for these two actions', () => {
    expect(template.Resources.TracesPolicy?.Properties).toEqual({
      PolicyName: "traces",
      Roles: [{ Ref: "TagsRole" }, { Ref: "VariantsRole" }],
      PolicyDocument: {
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Action: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], Resource: "*" },
        ],
      },
    });
  });
});

it('without traces there is no "*"', () => {
  const { Resources } = synthesise("prod", { tracing: "PassThrough" });

  expect(Resources).not.toHaveProperty("TracesPolicy");
  expect(Resources.TagsLambdaFunction?.Properties.TracingConfig).toEqual({ Mode: "PassThrough" });
});
