/** The deployed dashboard and saved queries. test/infra/deploy/sight.test.ts compares their fields with log lines. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { describe, expect, it } from "vitest";
import { prices } from "../support/bill.ts";
import { dashboardOf, draw, optionsOf } from "./dashboard.ts";
import { propertiesOf, resourcesOf, synthesise } from "./synthesis.ts";

const template = synthesise("prod");
const dashboard = dashboardOf(template);
const metrics = dashboard.widgets.flatMap(({ properties }) => properties.metrics ?? []);
const named = metrics.filter((metric) => optionsOf(metric).expression === undefined);
const titles = dashboard.widgets.map(({ properties }) => properties.title);

describe("the dashboard", () => {
  it("shows requests, errors, latency, conflicts, throttles, cold starts, units and cost", () => {
    expect(titles).toEqual([
      "Requests and errors",
      "Latency, ms",
      "Write conflicts",
      "Throttles",
      "Concurrency",
      "Cold starts",
      "Request units a second",
      "Dollars a day, without logs and traces",
      "Callers with conflicts",
      "Slowest features",
    ]);
  });

  it("uses metrics that AWS publishes, or that a filter of this template makes", () => {
    const published = loadAwsServiceSpecSync()
      .all("metric")
      .map(({ namespace, name }) => `${namespace} ${name}`);
    const filters = resourcesOf(template, "AWS::Logs::MetricFilter").flatMap(
      ([, { Properties }]) => Properties.MetricTransformations,
    );
    const own = filters.map(({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`);

    const known = new Set([...published, ...own]);
    expect(
      named.map(([namespace, name]) => `${namespace} ${name}`).filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it("refers to resources of this template only", () => {
    const references = [...dashboard.body.matchAll(/\$\{([\w:]+)\}/g)].map(([, name = ""]) => name);

    const known = [...Object.keys(template.Resources), "AWS::Region"];
    expect([...new Set(references)].filter((name) => !known.includes(name))).toEqual([]);
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

    const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(template, "Table").OnDemandThroughput;
    const { Threshold } = propertiesOf(template, "LatencyAlarm");
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

  it("is drawn in OPERATIONS.md", async () => {
    await expect(draw(dashboard)).toMatchFileSnapshot("../../infra/dashboard.svg");
  });

  it.each(["staging", "dev"])("is not deployed in %s", (stage) => {
    const { Resources } = synthesise(stage);

    expect(Object.keys(Resources)).not.toContain("Dashboard");
    expect(Object.keys(Resources)).not.toContain("TagsColdStarts");
  });
});

it.each(["prod", "staging", "dev"])("%s has the saved queries, on its own log groups", (stage) => {
  const { Resources } = synthesise(stage);

  const queries = Object.values(Resources).filter(({ Type }) => Type === "AWS::Logs::QueryDefinition");
  expect(queries).toHaveLength(9);
  for (const { Properties } of queries) {
    expect(Properties.Name).toMatch(new RegExp(`^burgee-${stage}/[a-z ]+$`));
    for (const { Ref } of Properties.LogGroupNames) expect(Resources[Ref]?.Type).toBe("AWS::Logs::LogGroup");
  }
});
