/** Computes what a month of requests costs, in US dollars in us-east-1: prices of November 2026, no free tier. */
export interface Units {
  read: number;
  write: number;
}

export interface Sample {
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
  metric: 0.3,
  secret: 0.4,
  streamRead: 0.2,
  dataOutGigabyte: 0.09,
};

/** Assumed, as only AWS could measure it: the time of a warm request, and Lambda's and the gateway's log lines. */
const secondsAt1GB = 0.02;
const otherLogBytes = 800;

/** Monitoring of prod: eight alarms on 13 metrics; the metrics of 429s, of 5xx of /api/admin/ and of 401s of SDKs. */
const watching = 13 * prices.alarm + 3 * prices.metric;

/** A month of two pipes that find nothing: each reads each shard four times a second. */
export const idlePipes = (shards: number) => (2 * shards * 4 * 86_400 * 30 * prices.streamRead) / 1e6;

/** A month of guards on AWS: the secret with the key, and the alarm of what was not tripped. */
export const guards = prices.secret + prices.alarm;

/** A day at the stage's rate. */
export const dataOut = (requestsASecond: number, bytes: number) =>
  ((86_400 * requestsASecond * bytes) / 1e9) * prices.dataOutGigabyte;

/** A day at the table's ceilings. */
export const tableCeiling = ({ read, write }: Units) =>
  (86_400 * (read * prices.read + write * prices.write)) / 1e6;

/** Rows of a table: requests, gateway, functions, table, logs, watching, all. */
export function bill(sample: Sample): string[] {
  return [100_000, 1_000_000, 10_000_000].map((month) =>
    row(month.toLocaleString("en-US"), [...partsOf(month, sample), watching]),
  );
}

/** A million requests, without watching. */
export const million = (sample: Sample) => partsOf(1e6, sample).reduce((sum, part) => sum + part, 0);

/** The gateway, functions, table and logs. */
function partsOf(month: number, { units, requests, logBytes }: Sample): number[] {
  const write = units.write / requests;
  const read = units.read / requests;
  const functions = (month / 1e6) * prices.lambda + month * secondsAt1GB * prices.gigabyteSecond;
  const table = (month / 1e6) * (write * prices.write + read * prices.read);
  return [(month / 1e6) * prices.httpApi, functions, table, logs(month, logBytes / requests)];
}

function logs(month: number, lineBytes: number): number {
  // Lines differ by a few bytes, so more precision would be false.
  return ((month * (Math.ceil(lineBytes / 100) * 100 + otherLogBytes)) / 1e9) * prices.logGigabyte;
}

/** The total is that of the rounded parts, so that a reader's sum is the same. */
function row(name: string, parts: number[]): string {
  const all = parts.reduce((sum, part) => sum + Number(part.toFixed(2)), 0);
  return `| ${name} | ${[...parts, all].map((amount) => amount.toFixed(2)).join(" | ")} |`;
}
