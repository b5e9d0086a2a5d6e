/** An item as an UpdateExpression leaves it. */
import { givenValue, valueAt } from "./evaluate.ts";
import type { Action, Operand, Path } from "./syntax.ts";
import { type Item, invalid, NotUnderstood, toNumber, type Value } from "./values.ts";

/** Every operand is that of the item before the update. */
export function update(before: Item, actions: readonly Action[], values: Item | undefined): Item {
  requireApart(actions.map(({ path }) => path));
  const operands = actions.map((action) => evaluate(action, before, values));
  let item = before;
  const writes = actions.map((action, index) => ({ ...action, value: operands[index] }));
  for (const { kind, path, value } of writes) {
    if (kind !== "REMOVE") item = put({ M: item }, path, value, item).M;
  }
  // The places of a list are those before the update: from its end, removals do not move them.
  const removals = writes.filter(({ kind }) => kind === "REMOVE").map(({ path }) => path);
  for (const path of removals.sort((one, other) => Number(other.at(-1)) - Number(one.at(-1)) || 0)) {
    item = put({ M: item }, path, undefined, item).M;
  }
  return item;
}

/** DynamoDB refuses an update whose paths overlap; none of ours does. */
function requireApart(paths: readonly Path[]): void {
  const texts = paths.map((path) => `${JSON.stringify(path).slice(0, -1)},`);
  const overlaps = texts.some((one, index) =>
    texts.some((other, place) => place !== index && other.startsWith(one)),
  );
  if (overlaps) throw invalid("Two document paths overlap with each other");
}

function evaluate(action: Action, item: Item, values: Item | undefined): Value | undefined {
  if (action.kind === "REMOVE") return undefined;
  return resolve(action.operand, item, values);
}

function resolve(operand: Operand, item: Item, values: Item | undefined): Value {
  if (operand.kind === "value") return givenValue(values, operand.name);
  if (operand.kind === "path") return existing(valueAt(item, operand.path));
  if (operand.kind === "sum") {
    const [left, right] = [operand.left, operand.right].map((one) => resolve(one, item, values));
    return plus(left, right, operand.sign);
  }
  const [first, second, ...more] = operand.operands;
  if (!first || !second || more.length > 0) throw new NotUnderstood(`${operand.name} of these operands`);
  if (operand.name === "if_not_exists" && first.kind === "path") {
    return valueAt(item, first.path) ?? resolve(second, item, values);
  }
  throw new NotUnderstood(`the function ${operand.name}`);
}

function plus(left: Value | undefined, right: Value | undefined, sign: 1 | -1): Value {
  if (!left || !right || !("N" in left) || !("N" in right)) throw wrongType();
  const sum = String(toNumber(left.N) + sign * toNumber(right.N));
  toNumber(sum);
  return { N: sum };
}

function existing(value: Value | undefined): Value {
  if (value) return value;
  throw invalid("The provided expression refers to an attribute that does not exist in the item");
}

const wrongType = () => invalid("An operand in the update expression has an incorrect data type");

/** A copy with the value at the path, or without what is there when it is undefined. */
function put<Kind extends Value>(
  into: Kind,
  [step, ...rest]: Path,
  value: Value | undefined,
  whole: Item,
): Kind {
  if (step === undefined) throw new NotUnderstood("a path of no steps");
  const isLast = rest.length === 0;
  if (typeof step === "number" && "L" in into) {
    const L = [...into.L];
    const inner = L[step];
    if (!isLast && inner === undefined) throw wrongPath();
    if (isLast && value === undefined) L.splice(step, 1);
    else
      L.splice(
        Math.min(step, L.length),
        1,
        isLast ? (value as Value) : put(inner as Value, rest, value, whole),
      );
    return { L } as unknown as Kind;
  }
  if (typeof step === "number" || !("M" in into)) throw wrongPath();
  const { [step]: inner, ...others } = into.M;
  if (isLast) return { M: value === undefined ? others : { ...into.M, [step]: value } } as unknown as Kind;
  if (inner === undefined) throw wrongPath();
  return { M: { ...into.M, [step]: put(inner, rest, value, whole) } } as unknown as Kind;
}

const wrongPath = () => invalid("The document path provided in the update expression is invalid for update");
