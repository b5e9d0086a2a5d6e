/** Reads the dashboard's definition. */
import { propertiesOf, type Template } from "./templates.ts";

type Options = Readonly<
  Partial<Record<"label" | "stat" | "id" | "expression", string>> & { visible?: boolean }
>;

/** A row of `metrics`: namespace, name, pairs of dimensions, options; or an expression. */
type Metric = readonly (string | Options)[];

interface Widget {
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

interface Dashboard {
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
