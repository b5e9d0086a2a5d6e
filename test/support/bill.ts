/** What a month of requests costs, in US dollars, in us-east-1: published prices of November 2026, no free tier. */
export interface Units {
  read: number;
  write: number;
}

interface Sample {
  units: Units;
  requests: number;
  /** The functions' own lines. */
  logBytes: number;
}

/** For a million of each, or one, as they are sold. */
const prices = {
  httpApi: 1.0,
  lambda: 0.2,
  gigabyteSecond: 0.0000133334,
  write: 0.625,
  read: 0.125,
  logGigabyte: 0.5,
  trace: 5.0,
  alarm: 0.1,
};

/** Assumed, as only AWS could tell: a warm request's time, and what Lambda and the gateway log of it. */
const secondsAt1GB = 0.02;
const otherLogBytes = 800;

const alarms = 9;
const secondsOfMonth = 30 * 24 * 3600;

/** Rows of a table: requests, gateway, functions, table, logs, traces, alarms, all. */
export function bill({ units, requests, logBytes }: Sample): string[] {
  const write = units.write / requests;
  const read = units.read / requests;
  // Lines differ by a few bytes: so much exactness would be none.
  const logs = (Math.ceil(logBytes / requests / 100) * 100 + otherLogBytes) / 1e9;
  return [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map((month) => {
    const millions = month / 1e6;
    const parts = [
      millions * prices.httpApi,
      millions * prices.lambda + month * secondsAt1GB * prices.gigabyteSecond,
      millions * (write * prices.write + read * prices.read),
      month * logs * prices.logGigabyte,
      (traced(month) / 1e6) * prices.trace,
      alarms * prices.alarm,
    ];
    const all = parts.reduce((sum, part) => sum + part, 0);
    return `| ${month.toLocaleString("en-US")} | ${[...parts, all].map(dollars).join(" | ")} |`;
  });
}

/** Evenly spread, one request of each second is traced, and one in twenty of the others. */
function traced(month: number): number {
  const first = Math.min(month, secondsOfMonth);
  return first + (month - first) * 0.05;
}

/** To the cent while that says something, then to the dollar. */
function dollars(amount: number): string {
  return amount < 100 ? amount.toFixed(2) : String(Math.round(amount));
}
