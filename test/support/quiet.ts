/** Keeps the request log out of the test report, and collects it for tests. Gives the clock back after each file. */
import { afterAll, beforeEach, vi } from "vitest";
import { log } from "./log.ts";

beforeEach(() => {
  log.length = 0;
});

// Files share a process: with the clock that one has stopped, a deadline in another would never come.
afterAll(() => void vi.useRealTimers());

const { write } = process.stdout;
vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...rest) => {
  const line = String(chunk);
  if (!line.startsWith('{"time"')) return write.call(process.stdout, chunk, ...(rest as []));
  log.push(JSON.parse(line));
  return true;
});
