/** Parses JSON and formats it again with every number as it was: 9007199254740993, 1e400, 1.0. */
import { randomUUID } from "node:crypto";

/** Stands before a number's text, in place of a number that JSON.stringify would write differently. */
const numberMark = `number ${randomUUID()} `;
const marked = new RegExp(`"${numberMark}([^"]*)"`, "g");

/** Throws a SyntaxError where the text is not JSON. */
export function parseExactly(text: string): unknown {
  // A mark in the place of a member's name would make JSON of what is none.
  JSON.parse(text);
  let isInString = false;
  // A pattern of whole strings would overflow the stack of the engine where one is long.
  const withMarks = text.replaceAll(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isInString = !isInString;
    const isNumber = !isInString && token !== '"';
    return isNumber && JSON.stringify(Number(token)) !== token ? JSON.stringify(numberMark + token) : token;
  });
  return JSON.parse(withMarks);
}

/** The type of a value that was parsed. */
export function exactTypeOf(value: unknown): string {
  return typeof value === "string" && value.startsWith(numberMark) ? "number" : typeof value;
}

export function formatExactly(document: object, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(marked, "$1");
}
