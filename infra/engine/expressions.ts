/** The expressions of a call: parsed once, and held against the names and values that came with them. */
import type { Expressions } from "./calls.ts";
import { type Condition, createParser, type Names, type Update, type Values } from "./parser.ts";
import { invalid } from "./refusals.ts";

interface Parsed<Meaning> {
  meaning: Meaning;
  /** The names and values that the expression mentions. */
  mentions: ReadonlySet<string>;
}

const mostBytes = 4096;
const mostRemembered = 1000;
const conditions = new Map<string, Parsed<Condition>>();
const updates = new Map<string, Parsed<Update>>();
const lists = new Map<string, Parsed<readonly string[]>>();

export const toCondition = (text: string, names?: Names) =>
  remembered(conditions, text, names, (parser) => parser.condition());
export const toUpdate = (text: string, names?: Names) =>
  remembered(updates, text, names, (parser) => parser.update());
/** The names of a projection's attributes. */
export const toNames = (text: string, names?: Names) =>
  remembered(lists, text, names, (parser) => parser.names());

function remembered<Meaning>(
  known: Map<string, Parsed<Meaning>>,
  text: string,
  names: Names | undefined,
  parse: (parser: ReturnType<typeof createParser>) => Meaning,
): Parsed<Meaning> {
  const id = JSON.stringify([text, names]);
  const found = known.get(id);
  if (found) return found;
  if (Buffer.byteLength(text) > mostBytes)
    throw invalid("Invalid expression: Expression size has exceeded the maximum allowed size");
  const parser = createParser(text, names);
  const parsed = { meaning: parse(parser), mentions: parser.mentions };
  if (known.size >= mostRemembered) known.clear();
  known.set(id, parsed);
  return parsed;
}

/** DynamoDB refuses names and values that no expression mentions, and values that are mentioned and not given. */
export function requireMatching(
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Expressions,
  parsed: readonly { mentions: ReadonlySet<string> }[],
): void {
  const mentions = new Set(parsed.flatMap((one) => [...one.mentions]));
  for (const given of [names, values]) {
    if (given && Object.keys(given).length === 0) throw invalid("Expression attributes must not be empty");
    const unused = Object.keys(given ?? {}).find((name) => !mentions.has(name));
    if (unused !== undefined) throw invalid(`An expression attribute is unused in expressions: ${unused}`);
  }
  const missing = [...mentions].find((name) => name.startsWith(":") && !values?.[name]);
  if (missing !== undefined)
    throw invalid(`An expression attribute value used in expression is not defined: ${missing}`);
}

export const valuesOf =
  ({ ExpressionAttributeValues: values = {} }: Expressions): Values =>
  (placeholder) => {
    const value = values[placeholder];
    if (!value) throw invalid(`An expression attribute value is not defined: ${placeholder}`);
    return value;
  };
