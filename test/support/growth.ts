/** How the time that a regular expression takes grows with the length of texts made to cost time. */
import { milliseconds } from "./cost.ts";

/** Of less no growth can be measured, nor does it matter. */
const noticeableMs = 2;
/** Four times the length is four times the work where it is linear, and sixteen times where it is quadratic. */
const step = 4;
const mostGrowth = 8;
/** What grows too fast does so each time; on a busy machine one measurement proves nothing. */
const measurements = 7;

/** The first text, by its beginning, whose cost grows faster than its length does. No length is beyond `longest`. */
export function superlinear(pattern: RegExp, longest: number): string | undefined {
  for (const attack of attacks(pattern)) {
    const length = lengths(longest).find((each) => isNoticed(pattern, attack(each)));
    if (length !== undefined && growth(pattern, attack(length / step), attack(length)) > mostGrowth) {
      return attack(20);
    }
  }
  return undefined;
}

/** By the least times of both, measured in turns, so that neither has the quieter machine. */
function growth(pattern: RegExp, short: string, long: string): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < measurements; run++) {
    least = Math.min(least, cost(pattern, short));
    most = Math.min(most, cost(pattern, long));
    if (most <= mostGrowth * least && run >= 2) break;
  }
  return most / least;
}
/** Close to one another at first: where time doubles with each character, the next but ten would never end. */
function lengths(longest: number): number[] {
  const lengths: number[] = [];
  for (let length = 8; length < longest; length = length < 64 ? length + 2 : length * step)
    lengths.push(length);
  return [...lengths, longest];
}

/** Runs of what the pattern itself is made of, after beginnings that it may want, and before an end that it does not. */
function attacks({ source }: RegExp): ((length: number) => string)[] {
  const words = source.replaceAll("\\", "").match(/[a-z/]{2,}/gi) ?? [];
  const signs = source.replaceAll(/[\\^$()[\]{}?*+|]/g, "");
  const pieces = new Set([...signs, ...words, ...' \t\n/~,;%a0-"é', "~0", "/a", ', "']);
  const starts = new Set(["", ...words, ...words.map((word) => `/${word}/`), '"', "/", "0"]);
  return [...pieces].flatMap((piece) =>
    [...starts].flatMap((start) =>
      ["", "\u0001"].map((end) => (length: number) => start + piece.repeat(length / piece.length) + end),
    ),
  );
}

function isNoticed(pattern: RegExp, text: string): boolean {
  return milliseconds(() => text.replace(pattern, ""), noticeableMs, 3) > noticeableMs;
}

/** With all matches, if the pattern is a global one. */
function cost(pattern: RegExp, text: string): number {
  return milliseconds(() => text.replace(pattern, ""), 0, 1);
}
