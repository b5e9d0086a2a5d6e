/** What an expression comes to for one item. */
import { parser } from "./parse.ts";
import type { Condition, Names, Operand, Path } from "./syntax.ts";
import { compare, type Item, invalid, isEqual, NotUnderstood, sizeOf, type Value } from "./values.ts";

export interface Expressions {
  ConditionExpression?: string;
  FilterExpression?: string;
  KeyConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Names;
  ExpressionAttributeValues?: Item;
}

export type Parser = ReturnType<typeof parser>;

const remembered = new Map<string, { tree: unknown; used: ReadonlySet<string> }>();

/** Parses the expressions of one call. What it names and never uses is refused, as DynamoDB refuses it. */
export function parseAll<Trees extends Readonly<Record<string, (parse: Parser) => unknown>>>(
  input: Expressions | Readonly<Record<string, unknown>>,
  how: Trees,
): { [Name in keyof Trees]: ReturnType<Trees[Name]> | undefined } {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Expressions = input;
  const used = new Set<string>();
  const trees = Object.entries(how).map(([name, read]) => {
    const text = (input as Expressions)[name as "UpdateExpression"];
    if (text === undefined) return [name, undefined];
    const id = `${name} ${text} ${JSON.stringify(names)}`;
    let known = remembered.get(id);
    if (!known) {
      const mentioned = new Set<string>();
      known = { tree: read(parser(text, names, mentioned)), used: mentioned };
      remembered.set(id, known);
    }
    for (const one of known.used) used.add(one);
    return [name, known.tree];
  });
  for (const one of [...Object.keys(names), ...Object.keys(values)]) {
    if (!used.has(one)) throw invalid(`${one} is given and not used`);
  }
  return Object.fromEntries(trees);
}

/** The value at a path; undefined where there is none. */
export function valueAt(item: Item, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((value, step) => value && memberOf(value, step), { M: item });
}

function memberOf(value: Value, step: string | number): Value | undefined {
  if (typeof step === "number") return "L" in value ? value.L[step] : undefined;
  return "M" in value && Object.hasOwn(value.M, step) ? value.M[step] : undefined;
}

export function givenValue(values: Item | undefined, name: string): Value {
  const value = values?.[name];
  if (!value) throw new NotUnderstood(`${name}, which has no value`);
  return value;
}

export function holds(condition: Condition, item: Item, values: Item | undefined): boolean {
  const of = (operand: Operand) => conditionOperand(operand, item, values);
  switch (condition.kind) {
    case "and":
      return holds(condition.left, item, values) && holds(condition.right, item, values);
    case "or":
      return holds(condition.left, item, values) || holds(condition.right, item, values);
    case "not":
      return !holds(condition.of, item, values);
    case "compare":
      return isSo(condition.operator, of(condition.left), of(condition.right));
    case "in":
      return condition.list.some((one) => isSo("=", of(condition.operand), of(one)));
    case "call":
      return isTrue(condition.name, condition.operands, item, values);
  }
}

/** What is not there compares as false, except that it differs from everything. */
function isSo(operator: string, left: Value | undefined, right: Value | undefined): boolean {
  if (left === undefined || right === undefined) return operator === "<>" && left !== right;
  if (operator === "=") return isEqual(left, right);
  if (operator === "<>") return !isEqual(left, right);
  const order = compare(left, right);
  if (order === undefined) return false;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function isTrue(name: string, operands: readonly Operand[], item: Item, values: Item | undefined): boolean {
  const [first, second, ...more] = operands;
  if (!first || more.length > 0) throw new NotUnderstood(`${name} with ${operands.length} operands`);
  if (name.startsWith("attribute_") && !second) {
    if (first.kind !== "path") throw new NotUnderstood(`${name} of what is not a path`);
    const isThere = valueAt(item, first.path) !== undefined;
    if (name === "attribute_exists") return isThere;
    if (name === "attribute_not_exists") return !isThere;
  }
  const [value, given] = [first, second].map((one) => one && conditionOperand(one, item, values));
  if (name === "begins_with" && given) {
    if (!("S" in given)) throw new NotUnderstood("begins_with of what is not a text");
    return value !== undefined && "S" in value && value.S.startsWith(given.S);
  }
  throw new NotUnderstood(`the function ${name}`);
}

function conditionOperand(operand: Operand, item: Item, values: Item | undefined): Value | undefined {
  if (operand.kind === "value") return givenValue(values, operand.name);
  if (operand.kind === "path") return valueAt(item, operand.path);
  const [of, ...more] = operand.kind === "call" ? operand.operands : [];
  if (operand.kind === "call" && operand.name === "size" && of?.kind === "path" && more.length === 0) {
    const value = valueAt(item, of.path);
    const size = value && sizeOf(value);
    return size === undefined ? undefined : { N: String(size) };
  }
  throw new NotUnderstood(`the operand ${JSON.stringify(operand)}`);
}
