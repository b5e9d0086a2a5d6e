/** What an operator looks by: every field that a query, a filter or a graph names is in lines that were really logged. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { useBurgee } from "../../support/burgee.ts";
import { countDown } from "../../support/event.ts";
import { log } from "../../support/log.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const read = (file: string) => parse(readFileSync(file, "utf8"), { merge: true });
const monitoring = read("infra/monitoring.yml");
const operations = readFileSync("infra/OPERATIONS.md", "utf8");
const runbook = readFileSync("infra/RUNBOOK.md", "utf8");

interface Query {
  Properties: { Name: string; LogGroupNames: { Ref: string }[]; QueryString: string };
}

const queries = Object.values<Query>(monitoring.queries.Resources).map(({ Properties }) => ({
  name: Properties.Name.split("/")[1] ?? "",
  groups: Properties.LogGroupNames.map(({ Ref }) => Ref),
  text: Properties.QueryString,
}));

/** What Lambda and CloudWatch add to each line, and no handler writes. */
const builtIn = ["@timestamp", "@message", "@log", "@requestId"];
const language =
  /^(?:fields|filter|stats|sort|limit|by|as|asc|desc|like|and|or|in|not|count|sum|max|pct|bin|ispresent|strcontains|\d+h?)$/;

/** Names in a query that are neither text, a word of the language, nor given to a result by the query itself. */
function fieldsOf(query: string): string[] {
  const plain = query.replaceAll(/'[^']*'|\/[^/]*\//g, "");
  const results = new Set([...plain.matchAll(/\bas (\w+)/g)].map(([, name]) => name));
  const names = plain.match(/@?[a-z][\w.]*|\d+h?/gi) ?? [];
  return [...new Set(names.filter((name) => !language.test(name) && !results.has(name)))];
}

/** As CloudWatch names the members of a line: `error.throttling.0`. */
function namesOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [prefix];
  return Object.entries(value).flatMap(([name, inner]) =>
    namesOf(inner, prefix ? `${prefix}.${name}` : name),
  );
}

const burgee = useBurgee();
const logged = new Set<string>();
const ofGateway = Object.keys(JSON.parse(read("infra/core.yml").accessLog));

/** A cold start, a patch, a conflict until the time is up, a failure, and a throttled request. */
beforeAll(async () => {
  const feature = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  const patch = (value: string) =>
    burgee.patch(feature, [add("/-", { name: value, weight: 0 })], { remainingMs: countDown(700) });
  await patch("red");
  const fates = [
    { error: "ConditionalCheckFailedException" },
    { error: "ResourceNotFoundException" },
    { error: "ThrottlingException", members: { throttlingReasons: [{ reason: "TableWrite" }] } },
  ];
  for (const fate of fates) {
    burgee.wire.decide(({ operation }) => (operation === "UpdateItem" ? fate : "pass"));
    await patch("green");
  }
  expect(log).toHaveLength(4);
  for (const name of log.flatMap((line) => namesOf(line))) logged.add(name);
});

it.each(queries)("$name has logged fields, and is in the runbook", ({ name, groups, text }) => {
  const isOfFunction = groups.includes("TagsLogGroup") || groups.includes("VariantsLogGroup");
  const known = [
    ...builtIn,
    ...(isOfFunction ? logged : []),
    ...(groups.includes("HttpApiLogGroup") ? ofGateway : []),
  ];
  requireLogged(fieldsOf(text), known);
  expect(runbook).toContain(`| \`${name}\` |`);
});

function requireLogged(fields: readonly string[], known: Iterable<string>): void {
  expect(fields.length).toBeGreaterThan(0);
  expect([...known]).toEqual(expect.arrayContaining([...fields]));
}

it("the operations page has each field of a line", () => {
  for (const name of logged) expect(operations).toContain(`\`${name.split(".")[0]}\``);
});

it("the query over the gateway's log and the functions' finds a request by a field that both have", () => {
  for (const fields of [ofGateway, [...logged]]) expect(fields).toContain("requestId");
});

it("the metric filters name fields that are logged", () => {
  const filters = Object.values<Filter>({
    ...monitoring.alarms.standard.Resources,
    ...monitoring.more.full.Resources,
  }).filter(({ Type }) => Type === "AWS::Logs::MetricFilter");

  expect(filters).toHaveLength(5);
  for (const { Properties } of filters) {
    const [{ MetricValue } = { MetricValue: "" }] = Properties.MetricTransformations;
    const names = `${Properties.FilterPattern} ${MetricValue}`.match(/(?<=\$\.)[\w.]+/g) ?? [];
    requireLogged(names, Properties.LogGroupName.Ref === "HttpApiLogGroup" ? ofGateway : logged);
  }
});

interface Filter {
  Type: string;
  Properties: {
    LogGroupName: { Ref: string };
    FilterPattern: string;
    MetricTransformations: { MetricValue: string }[];
  };
}

it.each([
  { what: "refused by the gateway", status: "429", functionStatus: "-", found: true },
  { what: "throttled by Lambda", status: "503", functionStatus: "429", found: true },
  { what: "a function's own 503", status: "503", functionStatus: "200", found: false },
  { what: "a success", status: "201", functionStatus: "200", found: false },
])("$what is found by the query of what the gateway refused: $found", ({ status, functionStatus, found }) => {
  const { text = "" } = queries.find(({ name }) => name === "refused by the gateway") ?? {};
  const [, filter = ""] = /^filter (.+?) \|/.exec(text) ?? [];
  const operators = { " = ": " === ", " and ": " && ", " or ": " || " };
  const condition = Object.entries(operators).reduce((code, [from, to]) => code.replaceAll(from, to), filter);

  expect(new Function("status", "functionStatus", `return ${condition}`)(status, functionStatus)).toBe(found);
});

it("a 5xx that the gateway makes is found by the query of failures, which reads its log too", () => {
  const { text = "", groups } = queries.find(({ name }) => name === "failures") ?? {};

  expect(groups).toEqual(["TagsLogGroup", "VariantsLogGroup", "HttpApiLogGroup"]);
  // The gateway's log has the status as text.
  expect(text).toContain("filter status >= 500 or status like /^5/");
});

const alarms = Object.entries<{ Type: string; Properties: { AlarmDescription: string } }>({
  ...monitoring.alarms.standard.Resources,
  ...monitoring.more.full.Resources,
  ...read("infra/events.yml").bus.Resources,
}).filter(([, { Type }]) => Type === "AWS::CloudWatch::Alarm");

it.each(alarms)(
  "%s names a saved query, and its section of the runbook, which names the query",
  (name, alarm) => {
    const { AlarmDescription: text } = alarm.Properties;
    const [, query] = /Saved query: burgee-\S+?\/([a-z ]+)\./.exec(text) ?? [];
    const [, anchor] = /infra\/RUNBOOK\.md#([\w-]+)$/.exec(text.trim()) ?? [];
    const sections = runbook.split(/^### /m).map((section) => ({
      anchor: (section.split("\n")[0] ?? "").toLowerCase().replaceAll(",", "").replaceAll(" ", "-"),
      section,
    }));

    const { section = "" } = sections.find((one) => one.anchor === anchor) ?? {};
    expect(section.length).toBeGreaterThan(0);
    // The failure of an event is not in the logs.
    if (name === "EventsNotSentAlarm") return;
    expect(queries.map((one) => one.name)).toContain(query);
    expect(section).toContain(`Query: \`${query}\``);
  },
);

it.each([
  ["infra/OPERATIONS.md", 2000],
  ["infra/RUNBOOK.md", 1500],
])("%s has at most %d words", (file, most) => {
  expect(readFileSync(file, "utf8").split(/\s+/).length).toBeLessThanOrEqual(most);
});
