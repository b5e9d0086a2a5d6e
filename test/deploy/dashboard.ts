/** Reads the dashboard's definition, and draws what each of its graphs shows. */
import { propertiesOf, type Template } from "./synthesis.ts";

type Options = Readonly<
  Partial<Record<"label" | "stat" | "id" | "expression", string>> & { visible?: boolean }
>;

/** A row of `metrics`: namespace, name, pairs of dimensions, options; or an expression. */
export type Metric = readonly (string | Options)[];

export interface Widget {
  type: "metric" | "log";
  x: number;
  y: number;
  width: number;
  height: number;
  properties: {
    title: string;
    region: string;
    stat?: string;
    metrics?: Metric[];
    query?: string;
    annotations?: { horizontal: { label: string; value: number }[] };
  };
}

export interface Dashboard {
  /** From the template, with unresolved references. */
  body: string;
  widgets: Widget[];
}

export function dashboardOf(template: Template): Dashboard {
  const [body]: [string] = propertiesOf(template, "Dashboard").DashboardBody["Fn::Sub"];
  return { body, widgets: JSON.parse(body).widgets };
}

export function optionsOf(metric: Metric): Options {
  const last = metric.at(-1);
  return typeof last === "object" ? last : {};
}

const column = 46;
const row = 30;

export function draw({ widgets }: Dashboard): string {
  const height = Math.max(...widgets.map(({ y, height }) => y + height)) * row;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * column} ${height}" font-family="sans-serif">`,
    "<title>The dashboard of prod</title>",
    `<rect width="100%" height="100%" fill="#f2f3f3"/>`,
    ...widgets.map(drawWidget),
    "</svg>\n",
  ].join("\n");
}

function drawWidget({ x, y, width, height, properties }: Widget): string {
  const { title, stat, metrics = [], annotations, query = "" } = properties;
  const shown = metrics.filter((metric) => optionsOf(metric).visible !== false);
  const lines = [
    ...shown.map((metric) => describe(metric, stat)),
    ...(annotations?.horizontal ?? []).map(({ label, value }) => `line at ${value}: ${label}`),
    query,
  ].flatMap((line) => wrap(line, width * 6.5));
  return [
    `<g transform="translate(${x * column} ${y * row})">`,
    `<rect x="4" y="4" width="${width * column - 8}" height="${height * row - 8}" rx="6" fill="#fff" stroke="#d5dbdb"/>`,
    `<text x="16" y="28" font-size="15" font-weight="bold">${escapeMarkup(title)}</text>`,
    ...lines.map(
      (line, index) => `<text x="16" y="${52 + index * 19}" font-size="12">${escapeMarkup(line)}</text>`,
    ),
    "</g>",
  ].join("\n");
}

function describe(metric: Metric, common = ""): string {
  const { expression, label, stat = common } = optionsOf(metric);
  if (expression !== undefined) return `${label}: ${expression.replaceAll("+", " + ")}`;
  const [namespace, name] = metric;
  return `${namespace} ${name} ${stat}${label === undefined ? "" : `: ${label}`}`;
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const line = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length === 0 || line.length > length) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
