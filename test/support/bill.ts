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
  alarm: 0.1,
  dashboard: 3.0,
  metric: 0.3,
};

/** Assumed, as only AWS could measure it: the time of a warm request, and Lambda's and the gateway's log lines. */
const secondsAt1GB = 0.02;
const otherLogBytes = 800;

/** Monitoring of prod: five alarms, of which one has two metrics; the dashboard; the metric of 429s. */
const watching = 6 * prices.alarm + prices.dashboard + prices.metric;

const secondsOfMonth = 30 * 24 * 3600;

/** Rows of a table: requests, gateway, functions, table, logs, watching, all. */
export function bill({ units, requests, logBytes }: Sample): string[] {
  const write = units.write / requests;
  const read = units.read / requests;
  return [100_000, 1_000_000, 10_000_000].map((month) => {
    const functions = (month / 1e6) * prices.lambda + month * secondsAt1GB * prices.gigabyteSecond;
    const table = (month / 1e6) * (write * prices.write + read * prices.read);
    const parts = [
      (month / 1e6) * prices.httpApi,
      functions,
      table,
      logs(month, logBytes / requests),
      watching,
    ];
    return row(month.toLocaleString("en-US"), parts);
  });
}

interface Stage {
  maxReadUnits: number;
  maxWriteUnits: number;
  /** Of each path. */
  rateLimit: number;
}

/** A function's longest time under throttling, the largest response, and how the gateway counts it. */
const slowestSeconds = 10;
const largestGigabytes = 0.006;
const countedAs = Math.ceil(6000 / 512);
/** Of an account, unless AWS was asked for more. */
const concurrency = 1000;
const accountRate = 10_000;
const gatewayLineBytes = 400;

/** Rows of a table: a month at a stage's limits in every second, each column at its own worst; with and without a key. */
export function ceilings(name: string, stage: Stage, lineBytes: number, paths: number): string[] {
  const { maxReadUnits, maxWriteUnits, rateLimit } = stage;
  const rate = paths * rateLimit;
  const month = rate * secondsOfMonth;
  const invocations = (month / 1e6) * prices.lambda;
  const slow = Math.min(rate * slowestSeconds, concurrency) * secondsOfMonth * prices.gigabyteSecond;
  const out = dataOut((paths - 1) * rateLimit * secondsOfMonth * largestGigabytes);
  const reads = Math.min(rate, maxReadUnits) * secondsOfMonth * prices.read;
  const refused = accountRate * secondsOfMonth;
  return [
    row(`${name}, a caller with a key`, [
      (secondsOfMonth / 1e6) * (maxWriteUnits * prices.write + maxReadUnits * prices.read),
      (month / 1e6) * prices.httpApi * countedAs,
      invocations + slow,
      logs(month, lineBytes),
      out,
    ]),
    row(`${name}, a caller without a key`, [
      reads / 1e6,
      (month / 1e6) * prices.httpApi,
      invocations + month * secondsAt1GB * prices.gigabyteSecond,
      logs(month, lineBytes) + (refused * gatewayLineBytes * prices.logGigabyte) / 1e9,
      0,
    ]),
  ];
}

function logs(month: number, lineBytes: number): number {
  // Lines differ by a few bytes, so more precision would be false.
  return ((month * (Math.ceil(lineBytes / 100) * 100 + otherLogBytes)) / 1e9) * prices.logGigabyte;
}

/** To the internet, by AWS's tiers. */
function dataOut(gigabytes: number): number {
  const tiers: [most: number, price: number][] = [
    [10_000, 0.09],
    [40_000, 0.085],
    [100_000, 0.07],
    [Number.POSITIVE_INFINITY, 0.05],
  ];
  let left = gigabytes;
  return tiers.reduce((total, [most, price]) => {
    const part = Math.min(left, most);
    left -= part;
    return total + part * price;
  }, 0);
}

function row(name: string, parts: number[]): string {
  const all = parts.reduce((sum, part) => sum + part, 0);
  return `| ${name} | ${[...parts, all].map(dollars).join(" | ")} |`;
}

/** Rounds small amounts to the cent, and large ones to the dollar. */
function dollars(amount: number): string {
  return amount < 100 ? amount.toFixed(2) : Math.round(amount).toLocaleString("en-US");
}
