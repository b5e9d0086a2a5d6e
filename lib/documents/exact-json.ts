/** Parses and formats JSON with every number as it was: 9007199254740993, 1e400, 1.0. */
import { randomUUID } from "node:crypto";

/** Precedes the text of a number that JSON.stringify would write differently. */
const numberMark = `number ${randomUUID()} `;
const marked = new RegExp(`"${numberMark}([^"]*)"`, "g");

export function parseExactly(text: string): unknown {
  JSON.parse(text);
  return parseValid(text);
}

/** Of a text that is known to be JSON: a number in the place of a member's name would become valid. */
export function parseValid(text: string): unknown {
  let isInString = false;
  // A pattern of whole strings would overflow the engine's stack on a long one.
  const withMarks = text.replaceAll(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isInString = !isInString;
    const isNumber = !isInString && token !== '"';
    return isNumber && JSON.stringify(Number(token)) !== token ? JSON.stringify(numberMark + token) : token;
  });
  return JSON.parse(withMarks);
}

export function exactTypeOf(value: unknown): string {
  return typeof value === "string" && value.startsWith(numberMark) ? "number" : typeof value;
}

export function formatExactly(document: object, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(marked, "$1");
}
