/** How the time that a regular expression takes grows with the length of texts made to cost time. */

import { milliseconds } from "./cost.ts";

/** Of less no growth can be measured, nor does it matter. */
const noticeableMs = 2;
/** Four times the length is four times the work where it is linear, and sixteen times where it is quadratic. */
const step = 4;
const mostGrowth = 8;

/** The first text, by its beginning, whose cost grows faster than its length does. No length is beyond `longest`. */
export function superlinear(pattern: RegExp, longest: number): string | undefined {
  for (const attack of attacks(pattern)) {
    const length = lengths(longest).find((each) => cost(pattern, attack(each)) > noticeableMs);
    // On a busy machine one measurement proves nothing: what grows too fast does so each time.
    const isTooFast = () =>
      length !== undefined &&
      cost(pattern, attack(length)) > mostGrowth * cost(pattern, attack(length / step));
    if ([1, 2, 3, 4, 5].every(isTooFast)) return attack(20);
  }
  return undefined;
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

/** With all matches, if the pattern is a global one. */
function cost(pattern: RegExp, text: string): number {
  return milliseconds(() => text.replace(pattern, ""), 3);
}
