/** What is wrong with a line that the server has printed. */
import { keys } from "./world.ts";

/** One object of JSON without a line break or any other control character, and without a key. */
export function complaintsAbout(line: string): string[] {
  const key = Object.values(keys).find((each) => line.includes(each));
  if (key !== undefined) return [`a line of the log holds the key ${key}`];
  if (/\p{Control}/u.test(line))
    return [`a line of the log holds a control character: ${JSON.stringify(line)}`];
  try {
    const { time, requestId, status } = JSON.parse(line);
    if (time && requestId && status < 500) return [];
  } catch {}
  return [`a line of the log is not one of a request that went well or was refused: ${line}`];
}
