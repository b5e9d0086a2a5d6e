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
const page = readFileSync("infra/OPERATIONS.md", "utf8");

interface Query {
  Properties: { Name: string; LogGroupNames: { Ref: string }[]; QueryString: string };
}

const queries = Object.values<Query>(read("infra/queries.yml").Resources).map(({ Properties }) => ({
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
const ofGateway = Object.keys(JSON.parse(read("infra/http-api.yml").accessLog));

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

it.each(queries)("$name has logged fields, and is in the operations page", ({ name, groups, text }) => {
  const isOfFunction = groups.includes("TagsLogGroup") || groups.includes("VariantsLogGroup");
  requireLogged(fieldsOf(text), [...builtIn, ...(isOfFunction ? logged : ofGateway)]);
  expect(page).toContain(`| \`${name}\` |`);
});

function requireLogged(fields: readonly string[], known: Iterable<string>): void {
  expect(fields.length).toBeGreaterThan(0);
  expect([...known]).toEqual(expect.arrayContaining([...fields]));
}

it("the operations page has each field of a line", () => {
  const section = page.split(/^## /m).find((text) => text.startsWith("Logs\n"));

  for (const name of logged) expect(section).toContain(`\`${name.split(".")[0]}\``);
});

it("the query over the gateway's log and the functions' finds a request by a field that both have", () => {
  for (const fields of [ofGateway, [...logged]]) expect(fields).toContain("requestId");
});

it.each([
  ["infra/alarms.yml", ["TagsConflicts", "VariantsConflicts"]],
  ["infra/dashboard.yml", ["TagsColdStarts", "VariantsColdStarts"]],
])("the metric filters of %s name fields that are logged", (file, filters) => {
  const { Resources } = read(file).all;
  for (const name of filters) {
    const { FilterPattern, MetricTransformations } = Resources[name].Properties;
    const [{ MetricValue }] = MetricTransformations;
    requireLogged(`${FilterPattern} ${MetricValue}`.match(/(?<=\$\.)[\w.]+/g) ?? [], logged);
  }
});

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

it("the query of conflicts reads every log whose conflicts the alarm counts", () => {
  const { TagsConflicts, VariantsConflicts } = read("infra/alarms.yml").all.Resources;
  const counted = [TagsConflicts, VariantsConflicts].map(({ Properties }) => Properties.LogGroupName.Ref);

  expect(queries.find(({ name }) => name === "conflicts")?.groups).toEqual(counted);
});

it("each alarm stands in the runbook, with a query that is saved", () => {
  const alarms = ["infra/alarms.yml", "infra/events.yml"].flatMap((file) => {
    const { all, bus } = read(file);
    return Object.keys((all ?? bus).Resources).filter((name) => name.endsWith("Alarm"));
  });
  const saved = queries.map(({ name }) => name);

  const rows = page.split("\n").filter((line) => /^\| `\w+`/.test(line) && line.split("|").length === 6);
  for (const alarm of alarms) {
    const row = rows.find((line) => line.split("|")[1]?.includes(`\`${alarm.replace(/Alarm$/, "")}\``));
    if (!row) throw new Error(`the runbook lacks ${alarm}`);
    const [, , , run = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
    expect(alarm === "EventsNotSentAlarm" ? [...saved, ""] : saved).toContain(run);
  }
});
