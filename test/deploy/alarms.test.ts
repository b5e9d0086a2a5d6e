import { describe, expect, it } from "vitest";
import { type Resource, resourcesOf, synthesise } from "./synthesis.ts";

const alarmsOf = (template: ReturnType<typeof synthesise>) =>
  Object.fromEntries(
    resourcesOf(template, "AWS::CloudWatch::Alarm").map(([name, { Properties }]) => [name, Properties]),
  );

const ofApi = [{ Name: "ApiId", Value: { Ref: "HttpApi" } }];
const ofTable = [{ Name: "TableName", Value: { Ref: "Table" } }];
const of = (name: string) => [{ Name: "FunctionName", Value: { Ref: `${name}LambdaFunction` } }];

describe.each(["prod", "staging"])("%s", (stage) => {
  const template = synthesise(stage);
  const alarms = alarmsOf(template);

  it.each([
    ["ServerErrorsAlarm", "AWS/ApiGateway", "5xx", ofApi],
    ["LatencyAlarm", "AWS/ApiGateway", "Latency", ofApi],
    ["TagsErrorsAlarm", "AWS/Lambda", "Errors", of("Tags")],
    ["VariantsErrorsAlarm", "AWS/Lambda", "Errors", of("Variants")],
    ["TagsThrottlesAlarm", "AWS/Lambda", "Throttles", of("Tags")],
    ["VariantsThrottlesAlarm", "AWS/Lambda", "Throttles", of("Variants")],
    ["TableReadThrottlesAlarm", "AWS/DynamoDB", "ReadThrottleEvents", ofTable],
    ["TableWriteThrottlesAlarm", "AWS/DynamoDB", "WriteThrottleEvents", ofTable],
    ["ConflictsAlarm", "Burgee", `Conflicts-${stage}`, undefined],
  ])("%s watches %s %s", (name, namespace, metric, dimensions) => {
    expect(alarms[name]).toMatchObject({
      Namespace: namespace,
      MetricName: metric,
      TreatMissingData: "notBreaching",
    });
    expect(alarms[name].Dimensions).toEqual(dimensions);
    expect(alarms[name].AlarmDescription).toContain(`Burgee ${stage}.`);
  });

  it("there are no other alarms, and all but the latency's fire at a count of one", () => {
    const { LatencyAlarm, ...counts } = alarms;

    expect(Object.keys(alarms)).toHaveLength(9);
    for (const alarm of Object.values(counts)) {
      expect(alarm).toMatchObject({
        Statistic: "Sum",
        Threshold: 1,
        ComparisonOperator: "GreaterThanOrEqualToThreshold",
      });
    }
    expect(LatencyAlarm).toMatchObject({
      ExtendedStatistic: "p99",
      Threshold: 2000,
      ComparisonOperator: "GreaterThanThreshold",
    });
  });

  it("conflicts are counted in the logs of both functions, by the name of the error", () => {
    const filters = resourcesOf(template, "AWS::Logs::MetricFilter")
      .filter(([name]) => name.endsWith("Conflicts"))
      .map(([, { Properties }]) => Properties);

    expect(filters.map(({ LogGroupName }) => LogGroupName.Ref)).toEqual(["TagsLogGroup", "VariantsLogGroup"]);
    for (const { FilterPattern, MetricTransformations } of filters) {
      expect(FilterPattern).toBe('{ $.error.name = "ConflictError" }');
      expect(MetricTransformations).toEqual([
        { MetricNamespace: "Burgee", MetricName: `Conflicts-${stage}`, MetricValue: "1" },
      ]);
    }
  });

  it("alarms have no recipient without a topic, and the outputs say so", () => {
    expect(template.Outputs.AlarmTopic?.Value).toBe("none");
    for (const { AlarmActions, OKActions } of Object.values(alarms)) {
      expect([...AlarmActions, ...OKActions]).toEqual([]);
    }
  });
});

it("dev has no alarms", () => {
  const types = Object.values<Resource>(synthesise("dev").Resources).map(({ Type }) => Type);

  expect(types).not.toContain("AWS::CloudWatch::Alarm");
  expect(types).not.toContain("AWS::Logs::MetricFilter");
  expect(synthesise("dev").Outputs).not.toHaveProperty("AlarmTopic");
});

it.each([
  ["email", { Ref: "AlarmTopic" }],
  ["existing", "arn:aws:sns:us-east-1:123456789012:alarms"],
])("with the topic %s every alarm and its end are sent there", (alarmTopic, action) => {
  const template = synthesise("prod", { alarmTopic });

  for (const { AlarmActions, OKActions } of Object.values(alarmsOf(template))) {
    expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: [action], OKActions: [action] });
  }
  expect(template.Outputs.AlarmTopic?.Value).toEqual(action);
  const topics = resourcesOf(template, "AWS::SNS::Topic").map(
    ([, { Properties }]) => Properties.Subscription,
  );
  const subscription = [{ Protocol: "email", Endpoint: "ops@example.com" }];
  expect(topics).toEqual(alarmTopic === "email" ? [subscription] : []);
});
