import { expect, it } from "vitest";
import { parseDuration, parseExpiry } from "../../../infra/admin/times.ts";

it.each([
  ["90s", 90],
  ["30m", 30 * 60],
  ["24h", 24 * 3600],
  ["7d", 7 * 86_400],
  ["2w", 14 * 86_400],
])("the duration %s has %i seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds * 1000);
});

it("an expiry is after now; a date alone means midnight UTC", () => {
  const midnight = Date.parse("2030-01-01T00:00:00Z");

  expect(parseExpiry("2030-01-01", midnight - 1)).toBe("2030-01-01T00:00:00Z");
  expect(() => parseExpiry("2030-01-01", midnight)).toThrow("2030-01-01 is in the past");
});
