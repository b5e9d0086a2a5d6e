/** Alarms and queries. test/infra/aws/logged-fields.test.ts compares their fields with log lines. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { expect, it } from "vitest";
import { readTemplate, resourcesOf } from "./templates.ts";

const prod = readTemplate("prod");
const alarmsOf = (name: string) =>
  resourcesOf(readTemplate(name), "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
const filtersOf = (name: string) =>
  resourcesOf(readTemplate(name), "AWS::Logs::MetricFilter").map(([, { Properties }]) => Properties);

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
  ["prod", 8, 3, "none"],
  ["staging", 8, 3, "none"],
  ["dev", 0, 0, "none"],
  ["options", 13, 3, "arn:aws:sns:us-east-1:123456789012:alarms"],
])(
  "%s has %d alarms and %d filters, and sends each alarm and its end to %j",
  (name, alarms, filters, topic) => {
    const actions = topic === "none" ? [] : [topic];

    expect(alarmsOf(name)).toEqual(
      Array(alarms).fill(expect.objectContaining({ AlarmActions: actions, OKActions: actions })),
    );
    expect(filtersOf(name)).toHaveLength(filters);
    expect(resourcesOf(readTemplate(name), "AWS::Logs::QueryDefinition")).toHaveLength(9);
  },
);

it("alarms use metrics that AWS publishes, or that a filter of the template makes", () => {
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

  // The list lacks the metrics of pipes.
  known.add("AWS/EventBridge/Pipes ExecutionFailed");
  expect(alarmed).toHaveLength(18);
  expect(alarmed.filter((name) => !known.has(name))).toEqual([]);
});

/** Whether a line of the gateway's log matches the pattern of a filter, as CloudWatch compares text. */
function matchesPattern(name: string, line: Record<string, string>): boolean {
  const { FilterPattern } = prod.Resources[name]?.Properties ?? {};
  const groups = String(FilterPattern).split("&&");
  const isMet = ([, field = "", glob = ""]: RegExpExecArray) => {
    const [start = "", end] = glob.split("*");
    const text = line[field] ?? "";
    return end === undefined ? text === start : text.startsWith(start) && text.endsWith(end);
  };
  return groups.every((group) => [...group.matchAll(/\$\.(\w+) = "([^"]*)"/g)].some(isMet));
}

const routesOf = (start: string) =>
  resourcesOf(prod, "AWS::ApiGatewayV2::Route")
    .map(([, { Properties }]) => String(Properties.RouteKey))
    .filter((route) => route.split(" ")[1]?.startsWith(start));

it("three 5xx of changes ring within 5 minutes, however many polls succeed; 4xx and failed polls are not counted", () => {
  const { Threshold, Period, Statistic, Metrics } = prod.Resources.AdminErrorsAlarm?.Properties ?? {};
  const [admin, polls] = [routesOf("/api/admin/"), routesOf("/api/projects/")];
  const counted = (status: string, routes: string[]) =>
    routes.filter((route) => matchesPattern("AdminErrors", { status, route }));

  expect([Threshold, Period, Statistic, Metrics]).toEqual([2, 300, "Sum", undefined]);
  expect([admin.length > 15, polls.length]).toEqual([true, 4]);
  for (const status of ["500", "503", "504"]) {
    expect(counted(status, admin)).toEqual(admin);
    expect(counted(status, polls)).toEqual([]);
  }
  expect(counted("409", admin)).toEqual([]);
  // What the rate over all requests makes of as many failures beside the polls of 750 SDKs.
  const [{ Expression }] = serverErrors.Metrics;
  const rate = new Function("IF", "errors", "requests", `return ${Expression}`);
  const value = rate((is: boolean, then: number, or: number) => (is ? then : or), 3, 750 * 60);
  expect(value).toBeLessThan(serverErrors.Threshold);
});

it.each(["401", "403"])(
  "one %s of an SDK, which ends its polls, rings, and one of a change does not",
  (status) => {
    const { Threshold } = prod.Resources.RefusedSdksAlarm?.Properties ?? {};
    const isCounted = (route: string) => matchesPattern("RefusedSdks", { status, route });

    expect(Threshold).toBe(0);
    expect(routesOf("/api/projects/").filter(isCounted)).toHaveLength(4);
    expect(routesOf("/api/admin/").filter(isCounted)).toEqual([]);
  },
);

it("the alarm on the latency of changes is not about polls, and that on no traffic is an option", () => {
  const { Metrics, DatapointsToAlarm } = prod.Resources.AdminLatencyAlarm?.Properties ?? {};
  const functions = JSON.stringify(Metrics).match(/\w+LambdaFunction/g);

  expect([functions, DatapointsToAlarm]).toEqual([["TagsLambdaFunction", "VariantsLambdaFunction"], 3]);
  expect(prod.Resources.NoTrafficAlarm).toBeUndefined();
  const { TreatMissingData } = readTemplate("options").Resources.NoTrafficAlarm?.Properties ?? {};
  expect(TreatMissingData).toBe("breaching");
});
