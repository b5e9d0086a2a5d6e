/**
 * Escapes what could control a terminal, or reorder or hide its text: control characters, format characters such as
 * U+202E and zero-width ones, line and paragraph separators, and lone surrogates. In JSON the escapes mean the same.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes the text for one line: a line break too. */
export function printable(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(unprintable, (character) => character.split("").map(escapeUnit).join(""));
}

/** Escapes text of several lines, or JSON: line breaks stay. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Quotes a word for a POSIX shell, where nothing is special inside single quotes. A plain word needs none. */
export function quotedForShell(text: string): string {
  if (/^[\w.,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
