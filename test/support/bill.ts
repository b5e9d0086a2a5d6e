/** Computes what a month of requests costs, in US dollars in us-east-1: prices of November 2026, no free tier. */
export interface Units {
  read: number;
  write: number;
}

interface Sample {
  units: Units;
  requests: number;
  /** The functions' log lines. */
  logBytes: number;
}

/** For one or for a million, by AWS's pricing unit. */
export const prices = {
  httpApi: 1.0,
  lambda: 0.2,
  gigabyteSecond: 0.0000133334,
  write: 0.625,
  read: 0.125,
  logGigabyte: 0.5,
  trace: 5.0,
  alarm: 0.1,
  dashboard: 3.0,
  insightRule: 0.5,
  metric: 0.3,
};

/** Assumed, as only AWS could measure it: the time of a warm request, and Lambda's and the gateway's log lines. */
const secondsAt1GB = 0.02;
const otherLogBytes = 800;

/** Monitoring of prod: its alarms, its dashboard, the two rules of throttled keys, the metrics of its filters. */
const watching = 9 * prices.alarm + prices.dashboard + 2 * prices.insightRule + 2 * prices.metric;

const secondsOfMonth = 30 * 24 * 3600;

/** Rows of a table: requests, gateway, functions, table, logs, traces, watching, all. */
export function bill({ units, requests, logBytes }: Sample): string[] {
  const write = units.write / requests;
  const read = units.read / requests;
  return [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map((month) => {
    const [gateway, functions, ...others] = costOfRequests(month, logBytes / requests);
    const table = (month / 1e6) * (write * prices.write + read * prices.read);
    return row(month.toLocaleString("en-US"), [gateway, functions, table, ...others, watching]);
  });
}

interface Stage {
  maxReadUnits: number;
  maxWriteUnits: number;
  rateLimit: number;
}

/** A row of a table: the cost of a month at the limits of a stage and its table. */
export function ceiling(name: string, stage: Stage, lineBytes: number): string {
  const { maxReadUnits, maxWriteUnits, rateLimit } = stage;
  const table = (secondsOfMonth / 1e6) * (maxWriteUnits * prices.write + maxReadUnits * prices.read);
  const [gateway, functions, logs, traces] = costOfRequests(rateLimit * secondsOfMonth, lineBytes);
  return row(name, [table, gateway + functions, logs + traces]);
}

/** The costs of the gateway, the functions, the logs and the traces. */
function costOfRequests(month: number, lineBytes: number): [number, number, number, number] {
  const millions = month / 1e6;
  // Lines differ by a few bytes, so more precision would be false.
  const logs = (Math.ceil(lineBytes / 100) * 100 + otherLogBytes) / 1e9;
  return [
    millions * prices.httpApi,
    millions * prices.lambda + month * secondsAt1GB * prices.gigabyteSecond,
    month * logs * prices.logGigabyte,
    (traced(month) / 1e6) * prices.trace,
  ];
}

function row(name: string, parts: number[]): string {
  const all = parts.reduce((sum, part) => sum + part, 0);
  return `| ${name} | ${[...parts, all].map(dollars).join(" | ")} |`;
}

/** Of evenly spread requests, one a second is traced, and one in twenty of the others. */
function traced(month: number): number {
  const first = Math.min(month, secondsOfMonth);
  return first + (month - first) * 0.05;
}

/** Rounds small amounts to the cent, and large ones to the dollar. */
function dollars(amount: number): string {
  return amount < 100 ? amount.toFixed(2) : Math.round(amount).toLocaleString("en-US");
}
