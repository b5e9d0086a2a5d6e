/**
 * Validates the values of constraints. SDKs cannot compare with an invalid one: the constraint then holds for no user or,
 * if it is inverted, for all.
 */

/** Returns why SDKs cannot compare with the value, or undefined. */
export function valueIssue(operator: string, value: string): string | undefined {
  const kind = kinds.find(({ prefix }) => operator.startsWith(prefix));
  return kind && !kind.isValid(value) ? `must be ${kind.expected}` : undefined;
}

const kinds = [
  { prefix: "NUM", isValid: isNumber, expected: "a number" },
  { prefix: "DATE", isValid: isTime, expected: "a time such as 2026-01-31T09:00:00Z" },
  { prefix: "SEMVER", isValid: isVersion, expected: "a version such as 1.2.3" },
  { prefix: "REGEX", isValid: isRe2, expected: "a regular expression of RE2" },
];

/** Whether it is a number that a double can hold: JSON, and so flagd's document, has no infinite ones. */
export function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}

/** RFC 3339, with `T` and `Z` in upper case. A time without a zone would depend on where the SDK runs. */
function isTime(text: string): boolean {
  const pattern =
    /^\d{4}-\d\d-(\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
  const [, day] = pattern.exec(text) ?? [];
  // JavaScript reads the 30th of February as the 2nd of March, and others refuse it.
  return new Date(text.slice(0, 10)).getUTCDate() === Number(day);
}

/** Semantic Versioning 2.0.0, within the bounds of node-semver: 256 characters, and numbers that a double holds. */
function isVersion(text: string): boolean {
  return /^(?!.{257}|\.)(?:(?:^|\.)(?:0|[1-9]\d{0,14})){3}(?:-(?!0\d+(?:[.+]|$))[\da-z-]+(?:\.(?!0\d+(?:[.+]|$))[\da-z-]+)*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i.test(
    text,
  );
}

/**
 * What RE2 and JavaScript may write in different ways. `isRe2` replaces each match by its capture, if it has one, and `_`.
 * Matching takes linear time.
 */
const re2Tokens = new RegExp(
  [
    // Quoted text, an escape, a class of characters, and flags become `_`, for example `\Qa.b\E`, `\d`, `[^a-z]` and `(?i)`.
    /\\Q.*?(?:\\E|$)/,
    /\\[\W_0ABDPSWabdfnprstvwxz]/,
    /\[(?:\^?\]|(?!\^?\]))(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]/,
    /\(\?[imsU-]*\)/,
    // A repetition stays: `{2,3}_`. A backslash that begins no escape stays too, and JavaScript refuses `\_`.
    /(\{\d+(?:,\d*)?\}|\\)/,
    // Braces and brackets that stand for themselves, and the ends of a line, become `_`.
    /[{}\]$^]/,
    // A group loses its name or its flags: `(?P<name>` becomes `(_`.
    /(\()\?(?:P?<\w+>|[imsU-]*:)/,
    // Any other group of this kind, such as a lookahead, and a class without an end stay invalid: `(?_` and `[_`.
    /(\(\?)/,
    /(\[).*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gsu",
);

/**
 * Refuses most of what RE2, by which SDKs match, does not compile: not wrong ranges and properties, nor repetitions of
 * repetitions or of more than 1,000. JavaScript compiles a translation, and never runs it.
 */
function isRe2(text: string): boolean {
  try {
    return Boolean(new RegExp(text.replace(re2Tokens, "$1$2$3$4_"), "u"));
  } catch {
    return false;
  }
}
