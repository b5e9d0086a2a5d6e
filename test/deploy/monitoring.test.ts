/** Alarms, dashboard and queries. test/infra/aws/sight.test.ts compares their fields with log lines. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { expect, it } from "vitest";
import { prices } from "../support/bill.ts";
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
const graphed: Metric[] = JSON.parse(body).widgets.flatMap(
  ({ properties }: { properties: { metrics?: Metric[] } }) => properties.metrics ?? [],
);

it.each([
  ["ServerErrorsAlarm", 300],
  ["RareServerErrorsAlarm", 900],
])("%s compares the 5xx with the requests of %d seconds", (name, Period) => {
  expect(prod.Resources[name]?.Properties.Metrics.slice(1)).toMatchObject([
    { Id: "errors", MetricStat: { Metric: { MetricName: "5xx" }, Period } },
    { Id: "requests", MetricStat: { Metric: { MetricName: "Count" }, Period } },
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
  // Five minutes: a rate, of ten requests or more.
  ["ServerErrorsAlarm", 9, 9, false],
  ["ServerErrorsAlarm", 1, 20, false],
  ["ServerErrorsAlarm", 2, 20, true],
  ["ServerErrorsAlarm", 10, 10, true],
  // 15 minutes: three failures of few requests, a rate of many.
  ["RareServerErrorsAlarm", 2, 2, false],
  ["RareServerErrorsAlarm", 2, 9, false],
  ["RareServerErrorsAlarm", 3, 3, true],
  ["RareServerErrorsAlarm", 3, 9, true],
  ["RareServerErrorsAlarm", 3, 100, false],
  ["RareServerErrorsAlarm", 6, 100, true],
])("%s at %d errors of %d requests: %j", (alarm, errors, requests, expected) => {
  const { Metrics, Threshold } = prod.Resources[alarm]?.Properties ?? {};
  const rate = new Function("IF", "errors", "requests", `return ${Metrics[0].Expression}`);

  const value = rate((is: boolean, then: number, or: number) => (is ? then : or), errors, requests);

  expect(value > Threshold).toBe(expected);
});

it.each([
  ["prod", 6, 1, "none"],
  ["staging", 6, 1, "none"],
  ["dev", 0, 0, "none"],
  ["options", 9, 1, { Ref: "AlarmTopic" }],
  ["others", 9, 1, "arn:aws:sns:us-east-1:123456789012:alarms"],
])(
  "%s has %d alarms and %d filters, and sends each alarm and its end to %j",
  (name, alarms, filters, topic) => {
    const { Resources } = readTemplate(name);
    const actions = topic === "none" ? [] : [topic];

    expect(alarmsOf(name)).toEqual(
      Array(alarms).fill(expect.objectContaining({ AlarmActions: actions, OKActions: actions })),
    );
    expect(filtersOf(name)).toHaveLength(filters);
    expect("AlarmTopic" in Resources).toBe(name === "options");
    expect(resourcesOf(readTemplate(name), "AWS::Logs::QueryDefinition")).toHaveLength(9);
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
  expect(alarmed).toHaveLength(14);
  expect([...alarmed, ...drawn].filter((name) => !known.has(name))).toEqual([]);
});

it("the dashboard is named by stage and region, and computes costs at the prices of OPERATIONS.md", () => {
  const { httpApi, lambda, gigabyteSecond, write, read } = prices;
  // A day without calls of one kind has no metric of it, and would have no cost at all.
  const day = (metric: string) => `FILL(${metric},0)`;

  expect(DashboardName).toEqual({ "Fn::Sub": expect.stringMatching(/^burgee-prod-.*Region/) });
  expect(body).toContain(
    `(${day("requests")}*${httpApi}+(${day("tags")}+${day("variants")}+${day("read")})*${lambda}` +
      `+(${day("tagsMs")}+${day("variantsMs")}+${day("readMs")})/1000*${gigabyteSecond * 1e6})/1000000`,
  );
  const written = `${day("writes")}+${day("listWrites")}`;
  const readUnits = `${day("reads")}+${day("listReads")}`;
  expect(body).toContain(`((${written})*${write}+(${readUnits})*${read})/1000000`);
});
