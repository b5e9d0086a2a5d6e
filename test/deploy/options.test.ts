/** The options in infra/stages.yml. */
import { expect, it } from "vitest";
import { type Role, statementsOf } from "../support/policy.ts";
import { everyOption, propertiesOf, synthesise } from "./synthesis.ts";

const template = synthesise("prod", everyOption);
const has = (name: string) => propertiesOf(template, name);

it("a custom domain serves the whole API, and is its only address", () => {
  expect(has("Domain")).toMatchObject({
    DomainName: "flags.example.com",
    DomainNameConfigurations: [{ EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" }],
  });
  expect(has("DomainMapping")).toEqual({
    ApiId: { Ref: "HttpApi" },
    DomainName: { Ref: "Domain" },
    Stage: "$default",
  });
  expect(has("HttpApi").DisableExecuteApiEndpoint).toBe(true);
  expect(template.Outputs.Url?.Value).toBe("https://flags.example.com");
  expect(template.Outputs.DomainTarget?.Value).toEqual({ "Fn::GetAtt": ["Domain", "RegionalDomainName"] });
});

it("CORS allows only the listed origins and headers", () => {
  expect(has("HttpApi").CorsConfiguration).toMatchObject({
    AllowOrigins: ["https://admin.example.com"],
    AllowHeaders: ["Authorization"],
    AllowMethods: expect.arrayContaining(["PUT", "PATCH", "OPTIONS"]),
    MaxAge: 600,
  });
});

it("events are sent to the account's bus, by a role that can only read the stream", () => {
  const stream = { "Fn::GetAtt": ["Table", "StreamArn"] };
  const bus = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills them in.
    "Fn::Sub": "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default",
  };
  const [read, send, keep, ...others] = statementsOf(template.Resources.EventsRole as Role);

  for (const name of ["VariantsEvents", "TagsEvents"]) {
    expect(has(name)).toMatchObject({ Source: stream, Target: bus });
  }
  expect(read).toMatchObject({ Resource: stream });
  expect(send).toEqual({ Effect: "Allow", Action: "events:PutEvents", Resource: bus });
  expect(keep).toMatchObject({
    Action: "sqs:SendMessage",
    Resource: { "Fn::GetAtt": ["EventsNotSent", "Arn"] },
  });
  expect(others).toEqual([]);
});

it("a table policy denies items to all but the functions' roles and the listed operators", () => {
  const { Statement } = has("Table").ResourcePolicy.PolicyDocument;
  const [statement, ...others] = Statement;
  const roles = ["TagsRole", "VariantsRole"].map((name) => ({
    "Fn::Sub": `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/burgee-prod-${name}-*`,
  }));

  expect(others).toEqual([]);
  expect(statement).toMatchObject({ Effect: "Deny", Principal: "*" });
  expect(statement.Condition).toEqual({
    ArnNotLike: { "aws:PrincipalArn": roles },
    StringNotLike: { "aws:PrincipalArn": ["arn:aws:iam::123456789012:role/burgee-operator"] },
  });
  // The deployer can still manage the table.
  expect(JSON.stringify(statement.Action)).not.toMatch(/Table|Describe|\*/);
  expect(synthesise("prod").Resources.Table?.Properties).not.toHaveProperty("ResourcePolicy");
});

it("the topic of the alarm of events is an output, also where there are no other alarms", () => {
  expect(synthesise("dev", { events: "bus" }).Outputs.AlarmTopic?.Value).toBe("none");
});

it("a stage without events has no resources for them", () => {
  expect(Object.keys(synthesise("prod").Resources).filter((name) => name.includes("Event"))).toEqual([]);
});

it("concurrency is reserved for each function", () => {
  expect(has("TagsLambdaFunction").ReservedConcurrentExecutions).toBe(50);
  expect(has("VariantsLambdaFunction").ReservedConcurrentExecutions).toBe(60);
});

it("a restored table replaces the stack's own, which is kept", () => {
  const restored = synthesise("prod", { table: "burgee-restored" });
  const { TagsLambdaFunction, Table, TableWriteThrottlesAlarm } = restored.Resources;
  const [calls] = statementsOf(restored.Resources.TagsRole as Role);

  expect(TagsLambdaFunction?.Properties.Environment.Variables.TABLE_NAME).toBe("burgee-restored");
  expect(calls?.Resource).toEqual({ "Fn::Sub": [expect.any(String), { Name: "burgee-restored" }] });
  expect(TableWriteThrottlesAlarm?.Properties.Dimensions).toEqual([
    { Name: "TableName", Value: "burgee-restored" },
  ]);
  expect(restored.Outputs.TableName?.Value).toBe("burgee-restored");
  expect(restored.Outputs.OwnTable?.Value).toEqual({ Ref: "Table" });
  expect(Table?.DeletionPolicy).toBe("Retain");
});
