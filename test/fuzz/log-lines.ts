/** Checks the log lines of the server. */
import { keys } from "./world.ts";

/** A line must be one JSON object, without control characters and without an API key. */
export function issuesOfLine(line: string): string[] {
  const key = Object.values(keys).find((each) => line.includes(each));
  if (key !== undefined) return [`a log line contains the key ${key}`];
  if (/\p{Control}/u.test(line)) return [`a log line contains a control character: ${JSON.stringify(line)}`];
  try {
    const { time, requestId, status } = JSON.parse(line);
    if (time && requestId && status < 500) return [];
  } catch {}
  return [`a log line is not that of a request with a status below 500: ${line}`];
}
