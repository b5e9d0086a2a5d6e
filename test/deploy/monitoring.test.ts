/** Alarms, dashboard and queries. test/infra/aws/sight.test.ts compares their fields with log lines. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { expect, it } from "vitest";
import { readTemplate, resourcesOf } from "./templates.ts";

const prod = readTemplate("prod");
const alarmsOf = (name: string) =>
  resourcesOf(readTemplate(name), "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
const filtersOf = (name: string) =>
  resourcesOf(readTemplate(name), "AWS::Logs::MetricFilter").map(([, { Properties }]) => Properties);

type Options = { label?: string; expression?: string };
/** A row of a graph's metrics: namespace, name, pairs of dimensions, options; or an expression. */
type Metric = readonly [string | Options, ...(string | Options)[]];

const { DashboardBody, DashboardName } = prod.Resources.Dashboard?.Properties ?? {};
// Numbers of settings.
const body = String(DashboardBody["Fn::Sub"]).replaceAll(/:\$\{\w+\}/g, ":1");
const { widgets }: { widgets: { properties: { title: string; metrics: Metric[] } }[] } = JSON.parse(body);
const graphed = widgets.flatMap(({ properties }) => properties.metrics);

const serverErrors = prod.Resources.ServerErrorsAlarm?.Properties;

it("the alarm of server errors compares the 5xx with the requests of 15 minutes", () => {
  expect(serverErrors.Metrics.slice(1)).toMatchObject([
    { Id: "errors", MetricStat: { Metric: { MetricName: "5xx" }, Period: 900 } },
    { Id: "requests", MetricStat: { Metric: { MetricName: "Count" }, Period: 900 } },
  ]);
});

it("throttles alarms on the table's and its index's together", () => {
  const { Metrics, Threshold, Dimensions } = prod.Resources.ThrottlesAlarm?.Properties ?? {};
  const [sum, ...summed] = Metrics;
  const of = ({
    MetricStat: { Metric },
  }: {
    MetricStat: { Metric: { MetricName: string; Dimensions: object[] } };
  }) => [Metric.MetricName, Metric.Dimensions.length];

  expect([sum.Expression, Threshold, Dimensions]).toEqual([
    "SUM([reads, writes, listReads, listWrites])",
    10,
    undefined,
  ]);
  expect(summed.map(({ Id }: { Id: string }) => Id)).toEqual(["reads", "writes", "listReads", "listWrites"]);
  expect(summed.map(of)).toEqual([
    ["ReadThrottleEvents", 1],
    ["WriteThrottleEvents", 1],
    ["ReadThrottleEvents", 2],
    ["WriteThrottleEvents", 2],
  ]);
});

it.each([
  // Three failures of few requests, a rate of many.
  [2, 2, false],
  [2, 9, false],
  [3, 3, true],
  [3, 9, true],
  [3, 100, false],
  [6, 100, true],
])("%d server errors of %d requests raise the alarm: %j", (errors, requests, expected) => {
  const { Metrics, Threshold } = serverErrors;
  const rate = new Function("IF", "errors", "requests", `return ${Metrics[0].Expression}`);

  const value = rate((is: boolean, then: number, or: number) => (is ? then : or), errors, requests);

  expect(value > Threshold).toBe(expected);
});

it.each([
  ["prod", 5, 1, "none"],
  ["staging", 5, 1, "none"],
  ["dev", 0, 0, "none"],
  ["options", 8, 1, "arn:aws:sns:us-east-1:123456789012:alarms"],
])(
  "%s has %d alarms and %d filters, and sends each alarm and its end to %j",
  (name, alarms, filters, topic) => {
    const actions = topic === "none" ? [] : [topic];

    expect(alarmsOf(name)).toEqual(
      Array(alarms).fill(expect.objectContaining({ AlarmActions: actions, OKActions: actions })),
    );
    expect(filtersOf(name)).toHaveLength(filters);
    expect(resourcesOf(readTemplate(name), "AWS::Logs::QueryDefinition")).toHaveLength(7);
  },
);

it("alarms and graphs use metrics that AWS publishes, or that a filter of the template makes", () => {
  const published = loadAwsServiceSpecSync().all("metric");
  const own = filtersOf("options").flatMap(({ MetricTransformations }) => MetricTransformations);
  const known = new Set([
    ...[...published].map(({ namespace, name }) => `${namespace} ${name}`),
    ...own.map(({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`),
  ]);
  const alarmed = alarmsOf("options").flatMap(({ Namespace, MetricName, Metrics = [] }) => [
    ...(Namespace ? [`${Namespace} ${MetricName}`] : []),
    ...Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: Record<string, string> } }) =>
      MetricStat ? [`${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName}`] : [],
    ),
  ]);
  const drawn = graphed
    .filter(([first]) => typeof first === "string")
    .map(([namespace, name]) => `${namespace} ${name}`);

  // The list lacks the metrics of pipes.
  known.add("AWS/EventBridge/Pipes ExecutionFailed");
  expect(alarmed).toHaveLength(12);
  expect([...alarmed, ...drawn].filter((name) => !known.has(name))).toEqual([]);
});

it("the dashboard is named by stage and region, and has four graphs", () => {
  expect(DashboardName).toEqual({ "Fn::Sub": expect.stringMatching(/^burgee-prod-.*Region/) });
  const titles = widgets.map(({ properties }) => properties.title);
  expect(titles).toEqual([
    "Requests and errors",
    "Latency, ms",
    "Throttles and write conflicts",
    "Request units a second",
  ]);
});
