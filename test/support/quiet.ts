/** Keeps the request log out of the test report, and collects it for tests. */
import { beforeEach, vi } from "vitest";
import { log } from "./log.ts";

beforeEach(() => {
  log.length = 0;
});

const { write } = process.stdout;
vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...rest) => {
  const line = String(chunk);
  if (!line.startsWith('{"time"')) return write.call(process.stdout, chunk, ...(rest as []));
  log.push(JSON.parse(line));
  return true;
});
