/** Alarms, dashboard and queries. test/infra/deploy/sight.test.ts compares their fields with log lines. */
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
const [body]: [string] = DashboardBody["Fn::Sub"];
const graphed: Metric[] = JSON.parse(body).widgets.flatMap(
  ({ properties }: { properties: { metrics?: Metric[] } }) => properties.metrics ?? [],
);

it("errors are a rate, of ten requests or more in five minutes", () => {
  const { Metrics, Threshold } = prod.Resources.ServerErrorsAlarm?.Properties ?? {};
  const [{ Expression }, ...metrics]: [{ Expression: string }] = Metrics;
  const rate = new Function("IF", "errors", "requests", `return ${Expression}`);
  const fires = (errors: number, requests: number) =>
    rate((is: boolean, then: number, or: number) => (is ? then : or), errors, requests) > Threshold;

  expect([fires(9, 9), fires(1, 20), fires(2, 20), fires(10, 10)]).toEqual([false, false, true, true]);
  expect(metrics).toMatchObject([
    { Id: "errors", MetricStat: { Metric: { MetricName: "5xx" }, Period: 300 } },
    { Id: "requests", MetricStat: { Metric: { MetricName: "Count" }, Period: 300 } },
  ]);
});

it.each([
  ["prod", 5, 1, "none"],
  ["staging", 5, 1, "none"],
  ["dev", 0, 0, "none"],
  ["options", 7, 5, { Ref: "AlarmTopic" }],
  ["others", 5, 1, "arn:aws:sns:us-east-1:123456789012:alarms"],
])(
  "%s has %d alarms and %d filters, and sends each alarm and its end to %j",
  (name, alarms, filters, topic) => {
    const { Resources, Outputs } = readTemplate(name);
    const actions = topic === "none" ? [] : [topic];

    expect(alarmsOf(name)).toEqual(
      Array(alarms).fill(expect.objectContaining({ AlarmActions: actions, OKActions: actions })),
    );
    expect(filtersOf(name)).toHaveLength(filters);
    expect(Outputs.AlarmTopic?.Value).toEqual(topic);
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

  expect(alarmed).toHaveLength(8);
  expect([...alarmed, ...drawn].filter((name) => !known.has(name))).toEqual([]);
});

it("the dashboard is named by stage and region, and computes costs at the prices of OPERATIONS.md", () => {
  const { httpApi, lambda, gigabyteSecond, write, read } = prices;

  expect(DashboardName).toEqual({ "Fn::Sub": expect.stringMatching(/^burgee-prod-.*Region/) });
  expect(body).toContain(
    `(requests*${httpApi}+(tags+variants)*${lambda}+(tagsMs+variantsMs)/1000*${gigabyteSecond * 1e6})/1000000`,
  );
  expect(body).toContain(`(writes*${write}+reads*${read})/1000000`);
});
