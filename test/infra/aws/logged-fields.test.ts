/** What an operator looks by: every field that a query or a filter names is in lines that were really logged. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { useBurgee } from "../../support/burgee.ts";
import { countDown } from "../../support/event.ts";
import { log } from "../../support/log.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import { isUpdate } from "../../support/wire.ts";

const read = (file: string) => parse(readFileSync(file, "utf8"), { merge: true });
const operations = readFileSync("docs/OPERATIONS.md", "utf8");
const runbook = readFileSync("docs/RUNBOOK.md", "utf8");

interface Resource {
  Type: string;
  Properties: {
    Name: string;
    LogGroupNames: { Ref: string }[];
    QueryString: string;
    LogGroupName: { Ref: string };
    FilterPattern: string;
    MetricTransformations: { MetricValue: string }[];
    AlarmDescription: string;
  };
}

const resources = Object.entries<Resource>(read("infra/aws/monitoring.yml").Resources);
const propertiesOf = (type: string) =>
  resources
    .filter(([, { Type }]) => Type === type)
    .map(([name, { Properties }]) => ({ name, ...Properties }));

const queries = propertiesOf("AWS::Logs::QueryDefinition").map(({ Name, LogGroupNames, QueryString }) => ({
  name: Name.split("/")[1] ?? "",
  groups: LogGroupNames.map(({ Ref }) => Ref),
  text: QueryString,
}));

/** What Lambda and CloudWatch add to each line, and no handler writes. */
const builtIn = ["@timestamp", "@message", "@log", "@requestId", "record.requestId", "record.status"];
const language =
  /^(?:fields|filter|stats|sort|limit|by|as|asc|desc|like|and|or|in|not|count|sum|max|latest|pct|bin|ispresent|strcontains|\d+h?)$/;

/** Names in a query that are neither text, a word of the language, nor given to a result by the query itself. */
function fieldsOf(query: string): string[] {
  const plain = query.replaceAll(/'[^']*'|\/[^/]*\//g, "");
  const results = [...plain.matchAll(/\bas (\w+)/g)].map(([, name]) => name);
  const names = plain.match(/@?[a-z][\w.]*|\d+h?/gi) ?? [];
  return names.filter((name) => !language.test(name) && !results.includes(name));
}

/** As CloudWatch names the members of a line: `table.throttling.0`. */
function namesOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [prefix];
  return Object.entries(value).flatMap(([name, inner]) =>
    namesOf(inner, prefix ? `${prefix}.${name}` : name),
  );
}

const burgee = useBurgee();
let ofFunctions: string[] = [];
let staleCauses: string[] = [];
const ofGateway = Object.keys(JSON.parse(read("serverless.yml").provider.logs.httpApi.format));

/**
 * A cold start, a patch, a conflict until the time is up, a failure, a throttled request, a trip that fails in a feature, and
 * three stale documents.
 */
beforeAll(async () => {
  // The lines of another file's last test.
  log.length = 0;
  const feature = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  const patch = (value: string, options = {}) =>
    burgee.patchVariants(feature, [add("/-", { name: value, weight: 0 })], options);
  await patch("red");
  await patch("green", { headers: { "burgee-guard": "errors" } });
  const fates = [
    { error: "ConditionalCheckFailedException" },
    { error: "ResourceNotFoundException" },
    { error: "ThrottlingException", members: { throttlingReasons: [{ reason: "TableWrite" }] } },
  ];
  for (const fate of fates) {
    burgee.wire.decide((call) => (isUpdate(call) ? fate : "pass"));
    await patch("yellow", { remainingMs: countDown(1500) });
  }
  burgee.wire.decide((call) => (isUpdate(call) ? { error: "ResourceNotFoundException" } : "pass"));
  const trip = "/api/admin/projects/default/environments/production/guards/errors/trip";
  await burgee.send({ method: "POST", path: trip });
  const path = "/api/projects/default/environments/production/client/features";
  burgee.wire.reset();
  await burgee.send({ method: "GET", path });
  burgee.wire.decide(() => ({ error: "ResourceNotFoundException" }));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  for (const _ of [1, 2, 3]) await burgee.send({ method: "GET", path });
  vi.useRealTimers();
  staleCauses = log.flatMap(({ stale }) => Object(stale).cause ?? []);
  ofFunctions = log.flatMap((line) => namesOf(line));
});

/** The fields of the lines in these log groups. */
const loggedIn = (groups: string[]) => [
  ...(groups.includes("HttpApiLogGroup") ? ofGateway : []),
  ...(groups.some((group) => group !== "HttpApiLogGroup") ? ofFunctions : []),
];

it.each(queries)("$name has logged fields, and is in the runbook", ({ name, groups, text }) => {
  expect([...builtIn, ...loggedIn(groups)]).toEqual(expect.arrayContaining(fieldsOf(text)));
  expect(fieldsOf(text).length).toBeGreaterThan(0);
  expect(runbook).toContain(`\`${name}\``);
});

it.each(propertiesOf("AWS::Logs::MetricFilter"))("the filter $name has logged fields", (filter) => {
  const [{ MetricValue } = { MetricValue: "" }] = filter.MetricTransformations;
  const fields = `${filter.FilterPattern} ${MetricValue}`.match(/(?<=\$\.)[\w.]+/g) ?? [];

  expect(loggedIn([filter.LogGroupName.Ref])).toEqual(expect.arrayContaining(fields));
  expect(fields.length).toBeGreaterThan(0);
});

it("the operations page has each field of a line", () => {
  const fields = new Set(ofFunctions.map((name) => name.split(".")[0]));

  expect([...fields].filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  expect(fields.size).toBeGreaterThan(10);
});

it("a 5xx that the gateway makes is found by the query of failures, which reads its log too", () => {
  const { text, groups } = queries.find(({ name }) => name === "failures") ?? {};

  expect(groups).toEqual(["TagsLogGroup", "VariantsLogGroup", "ReadLogGroup", "HttpApiLogGroup"]);
  // The gateway's log has the status as text.
  expect(text).toContain("filter status >= 500 or status like /^5/");
});

it("why SDKs get a document of before is found by the query of failures, once in 5 seconds of each sandbox", () => {
  const { text = "" } = queries.find(({ name }) => name === "failures") ?? {};
  const [, without = ""] =
    /or \(ispresent\(stale\.cause\) and stale\.cause not like \/(.+?)\/\)/.exec(text) ?? [];

  expect(text).toMatch(/^fields .*\bstale\.cause\b.* \| filter /);
  expect(staleCauses).toHaveLength(3);
  expect(staleCauses.filter((cause) => !new RegExp(without).test(cause))).toHaveLength(1);
});

it.each(propertiesOf("AWS::CloudWatch::Alarm"))(
  "$name names a saved query, and its section of the runbook, which names the query",
  ({ name, AlarmDescription: text }) => {
    const [, anchor = ""] = /docs\/RUNBOOK\.md#([\w-]+)$/.exec(text.trim()) ?? [];
    const [, query = ""] = /Saved query: burgee-\S+?\/([a-z ]+)\./.exec(text) ?? [];
    const toAnchor = (heading: string) => heading.toLowerCase().replaceAll(",", "").replaceAll(" ", "-");
    const section = runbook.split(/^### /m).find((each) => toAnchor(each.split("\n")[0] ?? "") === anchor);

    expect(section).toBeDefined();
    // Failures of events and of what trips guards are not in the logs.
    if (!/Events|Guards/.test(name)) expect(section).toContain(`Query: \`${query}\``);
  },
);
