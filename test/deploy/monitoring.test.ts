/** Alarms, dashboard and queries. test/infra/deploy/sight.test.ts compares their fields with log lines. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { describe, expect, it } from "vitest";
import { prices } from "../support/bill.ts";
import { dashboardOf, optionsOf } from "./dashboard.ts";
import { propertiesOf, readTemplate, resourcesOf } from "./templates.ts";

const prod = readTemplate("prod");
const full = readTemplate("full");
const alarmsOf = (name: string) =>
  Object.fromEntries(
    resourcesOf(readTemplate(name), "AWS::CloudWatch::Alarm").map(([name, { Properties }]) => [
      name,
      Properties,
    ]),
  );

const ofApi = [{ Name: "ApiId", Value: { Ref: "HttpApi" } }];
const ofTable = [{ Name: "TableName", Value: { Ref: "Table" } }];

describe("alarms", () => {
  it.each([
    ["LatencyAlarm", "AWS/ApiGateway", "Latency", ofApi, 2000],
    ["TooManyRequestsAlarm", "Burgee", "TooManyRequests-prod", undefined, 10],
    ["TableReadThrottlesAlarm", "AWS/DynamoDB", "ReadThrottleEvents", ofTable, 10],
    ["TableWriteThrottlesAlarm", "AWS/DynamoDB", "WriteThrottleEvents", ofTable, 10],
    ["ConflictsAlarm", "Burgee", "Conflicts-prod", undefined, 10],
  ])("%s watches %s %s", (name, Namespace, MetricName, dimensions, Threshold) => {
    const alarm = alarmsOf("full")[name];
    const ComparisonOperator = "GreaterThanThreshold";
    expect(alarm).toMatchObject({
      ...{ Namespace, MetricName, Threshold, ComparisonOperator, TreatMissingData: "notBreaching" },
    });
    expect(alarm.Dimensions).toEqual(dimensions);
  });

  it("errors are a rate, of ten requests or more in five minutes", () => {
    const { Metrics, Threshold } = alarmsOf("prod").ServerErrorsAlarm;
    const [{ Expression }, ...metrics]: [{ Expression: string }] = Metrics;
    const rate = new Function("IF", "errors", "requests", `return ${Expression}`);
    const fires = (errors: number, requests: number) =>
      rate((is: boolean, then: number, or: number) => (is ? then : or), errors, requests) > Threshold;

    expect([fires(1, 1), fires(9, 9), fires(1, 20), fires(2, 20), fires(10, 10)]).toEqual([
      ...[false, false, false, true, true],
    ]);
    expect(metrics).toMatchObject([
      {
        Id: "errors",
        MetricStat: { Metric: { MetricName: "5xx", Dimensions: ofApi }, Period: 300, Stat: "Sum" },
      },
      { Id: "requests", MetricStat: { Metric: { MetricName: "Count", Dimensions: ofApi }, Period: 300 } },
    ]);
  });

  it.each([
    ["prod", 5, ["TooManyRequests"]],
    ["staging", 5, ["TooManyRequests"]],
    ["dev", 0, []],
    [
      "full",
      6,
      ["TooManyRequests", "TagsConflicts", "VariantsConflicts", "TagsColdStarts", "VariantsColdStarts"],
    ],
  ])("%s has %d alarms, and the filters %j", (name, count, filters) => {
    const template = readTemplate(name);

    expect(Object.keys(alarmsOf(name))).toHaveLength(count);
    expect(resourcesOf(template, "AWS::Logs::MetricFilter").map(([name]) => name)).toEqual(filters);
    const insights = { Enabled: true, Mode: "THROTTLED_KEYS" };
    expect(propertiesOf(template, "Table").ContributorInsightsSpecification).toEqual(
      name === "full" ? insights : undefined,
    );
  });

  it.each([
    ["prod", "none"],
    ["email", { Ref: "AlarmTopic" }],
    ["existing", "arn:aws:sns:us-east-1:123456789012:alarms"],
  ])("with %s every alarm and its end are sent to %j", (name, action) => {
    const actions = action === "none" ? [] : [action];

    for (const { AlarmActions, OKActions } of Object.values(alarmsOf(name))) {
      expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: actions, OKActions: actions });
    }
    expect(readTemplate(name).Outputs.AlarmTopic?.Value).toEqual(action);
    const topics = resourcesOf(readTemplate(name), "AWS::SNS::Topic").map(([, { Properties }]) => Properties);
    expect(topics.map(({ Subscription }) => Subscription)).toEqual(
      name === "email" ? [[{ Protocol: "email", Endpoint: "ops@example.com" }]] : [],
    );
  });
});

describe("the dashboard", () => {
  const dashboard = dashboardOf(prod);
  const metrics = dashboard.widgets.flatMap(({ properties }) => properties.metrics ?? []);

  it("uses metrics that AWS publishes, or that a filter of this template makes", () => {
    const published = loadAwsServiceSpecSync()
      .all("metric")
      .map(({ namespace, name }) => `${namespace} ${name}`);
    const filters = resourcesOf(prod, "AWS::Logs::MetricFilter").flatMap(
      ([, { Properties }]) => Properties.MetricTransformations,
    );
    const own = filters.map(({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`);

    const known = new Set([...published, ...own]);
    const named = metrics.filter((metric) => optionsOf(metric).expression === undefined);
    expect(
      named.map(([namespace, name]) => `${namespace} ${name}`).filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it("refers to resources of this template, and is named by stage and region", () => {
    const references = [...dashboard.body.matchAll(/\$\{([\w:]+)\}/g)].map(([, name = ""]) => name);

    const known = [...Object.keys(prod.Resources), "AWS::Region", "Name"];
    expect([...new Set(references)].filter((name) => !known.includes(name))).toEqual([]);
    expect(propertiesOf(prod, "Dashboard").DashboardName).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in.
      "Fn::Sub": "burgee-prod-${AWS::Region}",
    });
  });

  it("computes costs from metrics of the same graph, at the prices of OPERATIONS.md", () => {
    for (const { properties } of dashboard.widgets) {
      const options = (properties.metrics ?? []).map(optionsOf);
      const ids = options.flatMap(({ id }) => id ?? []);
      const used = options.flatMap(({ expression = "" }) => expression.match(/[a-z]\w*/g) ?? []);
      expect([...new Set(used)].filter((name) => !ids.includes(name))).toEqual([]);
    }
    const { httpApi, lambda, gigabyteSecond, write, read } = prices;
    expect(dashboard.body).toContain(
      `(requests*${httpApi}+(tags+variants)*${lambda}+(tagsMs+variantsMs)/1000*${gigabyteSecond * 1e6})/1000000`,
    );
    expect(dashboard.body).toContain(`(writes*${write}+reads*${read})/1000000`);
  });

  it("marks the ceilings and the threshold of the latency alarm", () => {
    const lines = dashboard.widgets.flatMap(({ properties }) => properties.annotations?.horizontal ?? []);

    const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(prod, "Table").OnDemandThroughput;
    const { Threshold } = propertiesOf(prod, "LatencyAlarm");
    expect(lines.map(({ value }) => value)).toEqual([Threshold, MaxReadRequestUnits, MaxWriteRequestUnits]);
  });

  it("has no overlapping graphs", () => {
    const cells = dashboard.widgets.flatMap(({ x, y, width, height }) =>
      Array.from(
        { length: width * height },
        (_, cell) => `${x + (cell % width)} ${y + Math.floor(cell / width)}`,
      ),
    );

    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...cells.map((cell) => Number.parseInt(cell, 10)))).toBeLessThan(24);
  });
});

it.each(["prod", "staging", "dev"])("%s has the saved queries, on its own log groups", (stage) => {
  const queries = resourcesOf(readTemplate(stage), "AWS::Logs::QueryDefinition");

  expect(queries).toHaveLength(9);
  for (const [, { Properties }] of queries) {
    expect(Properties.Name).toMatch(new RegExp(`^burgee-${stage}/[a-z ]+$`));
    for (const { Ref } of Properties.LogGroupNames) {
      expect(readTemplate(stage).Resources[Ref]?.Type).toBe("AWS::Logs::LogGroup");
    }
  }
});

it("the extras of full watch what is logged", () => {
  for (const name of ["TagsConflicts", "VariantsConflicts"]) {
    expect(propertiesOf(full, name).FilterPattern).toBe('{ $.error.name = "ConflictError" }');
  }
  expect(propertiesOf(full, "TooManyRequests").FilterPattern).toBe('{ $.status = "429" }');
});
