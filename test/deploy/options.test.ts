/** The options of infra/settings.yml, each alone, and what the deployment commands pass to the template. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { operationsOf, type Role, statementsOf } from "../support/policy.ts";
import { propertiesOf, readTemplate, resourcesOf, stages, type Template } from "./templates.ts";

const of = (template: string, name: string) => propertiesOf(readTemplate(template), name);
// biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills them in.
const tableArn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/";
const functions = ["Tags", "Variants"];

it("nothing of a first deployment is kept or protected, so that a failed one leaves nothing behind", () => {
  const { Table } = readTemplate("first").Resources;

  expect(Table).toMatchObject({ DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
  expect(Table?.Properties.DeletionProtectionEnabled).toBe(false);
});

describe.each([...stages, "every"])("the roles of %s", (name) => {
  const template = readTemplate(name);
  const sources: Record<string, Role> = parse(readFileSync("infra/roles.yml", "utf8")).template.Resources;

  it.each(functions)(
    "permit %s exactly the calls that it makes, on the one table, and its own log",
    (name) => {
      const role = template.Resources[`${name}Role`] as Role;
      const [table, ...others] = statementsOf(role);

      expect(operationsOf(role, "dynamodb")).toEqual(
        operationsOf(sources[`${name}Role`] as Role, "dynamodb"),
      );
      expect(table?.Resource).toEqual([{ "Fn::Sub": [`${tableArn}\${Name}`, { Name: { Ref: "Table" } }] }]);
      expect(others).toEqual([
        {
          Effect: "Allow",
          Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
          Resource: { "Fn::GetAtt": [`${name}LogGroup`, "Arn"] },
        },
      ]);
      expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
    },
  );

  it('permit no "*", and nothing else grants the functions permissions', () => {
    const grants = Object.entries(template.Resources).filter(
      ([name, { Type }]) => Type.startsWith("AWS::IAM::") && !["TracesPolicy", "EventsRole"].includes(name),
    );

    expect(grants.map(([name]) => name)).toEqual(["TagsRole", "VariantsRole"]);
    expect(JSON.stringify(grants)).not.toContain("*");
  });
});

it('traces need the only "*": X-Ray has no resources for these two actions', () => {
  expect(of("traced", "TagsLambdaFunction").TracingConfig).toEqual({ Mode: "Active" });
  expect(of("traced", "TracesPolicy").PolicyDocument.Statement).toEqual([
    { Effect: "Allow", Action: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], Resource: "*" },
  ]);
});

it("a permissions boundary limits the roles of the functions", () => {
  for (const name of functions) {
    expect(of("boundary", `${name}Role`).PermissionsBoundary).toContain(":policy/boundary");
    expect(of("prod", `${name}Role`).PermissionsBoundary).toEqual({ Ref: "AWS::NoValue" });
  }
});

it("another table replaces the stack's own, which is kept", () => {
  const { Resources, Outputs }: Template = readTemplate("restored");

  expect(of("restored", "TagsLambdaFunction").Environment.Variables.TABLE_NAME).toBe("burgee-prod-restored");
  expect(of("restored", "TableWriteThrottlesAlarm").Dimensions).toEqual([
    { Name: "TableName", Value: "burgee-prod-restored" },
  ]);
  expect(Outputs.TableName?.Value).toBe("burgee-prod-restored");
  expect(Outputs.OwnTable?.Value).toEqual({ Ref: "Table" });
  expect(Resources.Table?.DeletionPolicy).toBe("Retain");
});

it.each(functions)(
  "the deployment that changes the table permits %s both, as old code still runs",
  (name) => {
    const [calls] = statementsOf(readTemplate("switched").Resources[`${name}Role`] as Role);

    expect(calls?.Resource).toEqual([
      { "Fn::Sub": [`${tableArn}\${Name}`, { Name: "burgee-prod-restored" }] },
      { "Fn::Sub": `${tableArn}burgee-prod-old` },
    ]);
  },
);

it.each([
  ["domain", false],
  ["domainOnly", true],
])(
  "with %s a custom domain serves the whole API; the default address is turned off: %j",
  (name, isDisabled) => {
    const { Outputs } = readTemplate(name);

    expect(of(name, "Domain")).toMatchObject({
      DomainName: "flags.example.com",
      DomainNameConfigurations: [{ EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" }],
    });
    expect(of(name, "DomainMapping").Stage).toBe("$default");
    expect(of(name, "HttpApi").DisableExecuteApiEndpoint ?? false).toBe(isDisabled);
    expect(Outputs.Url?.Value).toBe("https://flags.example.com");
    expect("DefaultUrl" in Outputs).toBe(!isDisabled);
  },
);

it("CORS allows only the listed origins and headers", () => {
  expect(of("cors", "HttpApi").CorsConfiguration).toMatchObject({
    AllowOrigins: ["https://admin.example.com"],
    AllowHeaders: ["Authorization"],
    AllowMethods: expect.arrayContaining(["PUT", "PATCH", "POST", "OPTIONS"]),
    MaxAge: 600,
  });
});

it("concurrency is reserved for each function", () => {
  const reserved = functions.map(
    (name) => of("reserved", `${name}LambdaFunction`).ReservedConcurrentExecutions,
  );

  expect(reserved).toEqual([20, 30]);
});

it("events are sent to the account's bus, by a role that can only read the stream, which only they need", () => {
  const { EventsRole } = readTemplate("events").Resources;
  const stream = { "Fn::GetAtt": ["Table", "StreamArn"] };
  const bus = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills them in.
    "Fn::Sub": "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default",
  };
  const kept = { "Fn::GetAtt": ["EventsNotSent", "Arn"] };

  for (const name of ["VariantsEvents", "TagsEvents"]) {
    expect(of("events", name)).toMatchObject({ Source: stream, Target: bus });
  }
  expect(statementsOf(EventsRole as unknown as Role)).toMatchObject([
    { Resource: stream },
    { Effect: "Allow", Action: "events:PutEvents", Resource: bus },
    { Action: "sqs:SendMessage", Resource: kept },
  ]);
  expect(of("events", "Table").StreamSpecification).toEqual({ StreamViewType: "NEW_AND_OLD_IMAGES" });
});

it("a table policy denies items to all but the functions' and the people's roles; it can still be managed", () => {
  const { Statement } = of("tablePolicy", "Table").ResourcePolicy.PolicyDocument;
  const role = (name: string) => ({
    "Fn::Sub": `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/${name}-*`,
  });

  expect(Statement).toMatchObject([{ Effect: "Deny", Principal: "*" }]);
  expect(Statement[0].Condition).toEqual({
    ArnNotLike: {
      "aws:PrincipalArn": ["burgee-prod-TagsRole", "burgee-prod-VariantsRole", "people-burgee-prod"].map(
        role,
      ),
    },
  });
  expect(JSON.stringify(Statement[0].Action)).not.toMatch(/Table|Describe|\*/);
});

it("the other options add no resources", () => {
  const types = (name: string) => Object.values(readTemplate(name).Resources).map(({ Type }) => Type);

  for (const name of ["boundary", "reserved", "cors", "tablePolicy"])
    expect(types(name)).toEqual(types("prod"));
  expect(resourcesOf(readTemplate("unwatched"), "AWS::CloudWatch::Dashboard")).toEqual([]);
});
