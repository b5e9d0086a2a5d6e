/** Parses the expressions of a call once, and evaluates them with the names and values that came with them. */
import type { Expressions } from "./calls.ts";
import { type Condition, createParser, type Names, type PlaceholderValues, type Update } from "./parser.ts";
import { invalid, NotUnderstood } from "./refusals.ts";

type Kind = "ConditionExpression" | "UpdateExpression" | "ProjectionExpression" | "KeyConditionExpression";

interface Mentions {
  kind: Kind;
  /** The names and values that the expression mentions. */
  mentions: ReadonlySet<string>;
}

interface Parsed<Meaning> extends Mentions {
  meaning: Meaning;
}

const mostBytes = 4096;
const mostRemembered = 1000;
const conditions = new Map<string, Parsed<Condition>>();
const updates = new Map<string, Parsed<Update>>();
const lists = new Map<string, Parsed<readonly string[]>>();

export const toCondition = (text: string, names?: Names) =>
  remembered(conditions, "ConditionExpression", text, names, (parser) => parser.condition());
export const toUpdate = (text: string, names?: Names) =>
  remembered(updates, "UpdateExpression", text, names, (parser) => parser.update());
/** Parses a projection into the names of its attributes. */
export const toNames = (text: string, names?: Names) =>
  remembered(lists, "ProjectionExpression", text, names, (parser) => parser.names());

function remembered<Meaning>(
  known: Map<string, Parsed<Meaning>>,
  kind: Kind,
  text: string,
  names: Names | undefined,
  parse: (parser: ReturnType<typeof createParser>) => Meaning,
): Parsed<Meaning> {
  const id = JSON.stringify([text, names]);
  const found = known.get(id);
  if (found) return found;
  const bytes = Buffer.byteLength(text);
  if (bytes > mostBytes) {
    throw invalid(
      `Invalid ${kind}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    );
  }
  const parser = createParser(text, names);
  const parsed = { kind, meaning: parse(parser), mentions: parser.mentions };
  if (known.size >= mostRemembered) known.clear();
  known.set(id, parsed);
  return parsed;
}

/** DynamoDB refuses names and values that no expression mentions, and values that are mentioned and not given. */
export function requireMatching(
  { ExpressionAttributeNames, ExpressionAttributeValues }: Expressions,
  parsed: readonly Mentions[],
): void {
  const mentions = new Set(parsed.flatMap((one) => [...one.mentions]));
  for (const [member, given] of Object.entries({ ExpressionAttributeNames, ExpressionAttributeValues })) {
    if (!given) continue;
    if (parsed.length === 0) throw new NotUnderstood(`${member} without an expression`);
    if (Object.keys(given).length === 0) throw invalid(`${member} must not be empty`);
    const unused = Object.keys(given).filter((name) => !mentions.has(name));
    if (unused.length > 0)
      throw invalid(`Value provided in ${member} unused in expressions: keys: {${unused.join(", ")}}`);
  }
  for (const { kind, mentions } of parsed) {
    const missing = [...mentions].find((name) => name.startsWith(":") && !ExpressionAttributeValues?.[name]);
    if (missing !== undefined)
      throw invalid(
        `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${missing}`,
      );
  }
}

export const valuesOf =
  ({ ExpressionAttributeValues: values = {} }: Expressions): PlaceholderValues =>
  (placeholder) => {
    const value = values[placeholder];
    if (!value) throw invalid(`An expression attribute value is not defined: ${placeholder}`);
    return value;
  };
