/** What the functions may do, as it is deployed. That it is what they do is tested beside the other tests of infra. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { operationsOf, type Role, statementsOf } from "../support/policy.ts";
import { stages, synthesise, type Template } from "./synthesis.ts";

const sources: Record<string, Role> = parse(readFileSync("infra/roles.yml", "utf8")).Resources;
const templates = stages.map((stage) => ({ stage, template: synthesise(stage) }));

/** Whatever grants the functions anything, but for what is granted for traces. CodeDeploy's role is no function's. */
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
    "the role of $name permits the calls that its function was seen to make, of the one table",
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

  it.each(roles)(
    "the role of $name permits to write the function's own log, and no more",
    ({ role, log }) => {
      const [, ...others] = statementsOf(role);

      expect(others).toEqual([
        { Effect: "Allow", Action: ["logs:CreateLogStream", "logs:PutLogEvents"], Resource: log },
      ]);
      expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
    },
  );

  it('there is no "*" in what the roles permit, and nothing else grants them anything', () => {
    expect(grants(template).map(([name]) => name)).toEqual(["TagsRole", "VariantsRole"]);
    expect(JSON.stringify(grants(template))).not.toContain("*");
  });

  it('the one "*" is that of the traces: for these two actions X-Ray has no resources that could be named', () => {
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

it("without traces there is none at all", () => {
  const { Resources } = synthesise("prod", { tracing: "PassThrough" });

  expect(Resources).not.toHaveProperty("TracesPolicy");
  expect(Resources.TagsLambdaFunction?.Properties.TracingConfig).toEqual({ Mode: "PassThrough" });
});
