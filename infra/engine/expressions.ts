/** DynamoDB's values and expressions, as far as Burgee uses them. An expression becomes a function of an item. */

export type Value = Readonly<
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: readonly Value[] }
  | { M: Item }
>;

export type Item = Readonly<{ [name: string]: Value }>;

/** What the exploration must not go past: a call that this table does not know, and so could answer wrongly. */
export class NotUnderstood extends Error {
  constructor(what: string) {
    super(`the table in memory does not understand ${what}`);
  }
}

/** A refusal that the engine responds with. */
export class Refused extends Error {
  readonly type: string;
  readonly item: Item | undefined;

  constructor(type: string, message: string, item?: Item) {
    super(message);
    this.type = type;
    this.item = item;
  }
}

export type Condition = (item: Item, values: Item) => boolean;
export type Update = (item: Item, values: Item) => Item;

type Names = Readonly<Record<string, string>>;
type Path = readonly string[];

const conditions = new Map<string, Condition>();
const updates = new Map<string, Update>();

export function toCondition(text: string, names?: Names): Condition {
  return remembered(conditions, text, names, (parser) => parser.condition());
}

export function toUpdate(text: string, names?: Names): Update {
  return remembered(updates, text, names, (parser) => parser.update());
}

function remembered<Parsed>(
  known: Map<string, Parsed>,
  text: string,
  names: Names | undefined,
  parse: (parser: ReturnType<typeof createParser>) => Parsed,
): Parsed {
  const id = `${text} ${JSON.stringify(names)}`;
  const parsed = known.get(id) ?? parse(createParser(text, names));
  known.set(id, parsed);
  return parsed;
}

function createParser(text: string, names: Names = {}) {
  const tokens = text.match(/[:#]?\w+|\S/g) ?? [];
  const next = () => tokens.shift() ?? "its end";
  const take = (wanted: string) => tokens[0] === wanted && tokens.shift() !== undefined;
  const unknown = (found: string) => new NotUnderstood(`"${text}" at ${found}`);

  function expect(wanted: string): void {
    const found = next();
    if (found !== wanted) throw unknown(found);
  }

  function inParentheses<Inner>(parse: () => Inner): Inner {
    expect("(");
    const inner = parse();
    expect(")");
    return inner;
  }

  function separatedBy<One>(separator: string, parse: () => One): One[] {
    const all = [parse()];
    while (take(separator)) all.push(parse());
    return all;
  }

  function name(): string {
    const found = next();
    const meant = found.startsWith("#") ? names[found] : found;
    if (meant === undefined || !/^#?\w+$/.test(found)) throw unknown(found);
    return meant;
  }

  function value(): string {
    const found = next();
    if (!found.startsWith(":")) throw unknown(found);
    return found;
  }

  const path = (): Path => separatedBy(".", name);

  function conjunction(): Condition {
    const all = separatedBy("AND", comparison);
    return (item, values) => all.every((one) => one(item, values));
  }

  function comparison(): Condition {
    if (take("attribute_exists")) return exists(inParentheses(path));
    if (take("attribute_not_exists")) {
      const isThere = exists(inParentheses(path));
      return (item, values) => !isThere(item, values);
    }
    const at = path();
    if (take("IN")) {
      const list = inParentheses(() => separatedBy(",", value));
      return (item, values) => list.some((one) => isEqual(valueAt(item, at), values[one]));
    }
    const operator = next();
    const compare = operator === "=" ? isEqual : operator === "<" ? isLess : undefined;
    if (!compare) throw unknown(operator);
    const other = value();
    return (item, values) => compare(valueAt(item, at), values[other]);
  }

  function assignment() {
    const at = path();
    expect("=");
    return { at, given: value() };
  }

  function wholly<Parsed>(parsed: Parsed): Parsed {
    if (tokens.length > 0) throw unknown(next());
    return parsed;
  }

  return {
    condition: () => wholly(conjunction()),
    update(): Update {
      const sets = take("SET") ? separatedBy(",", assignment) : [];
      const removed = wholly(take("REMOVE") ? separatedBy(",", path) : []);
      return (before, values) => {
        const after = sets.reduce((item, { at, given }) => put(item, at, values[given]), before);
        return removed.reduce((item, at) => put(item, at, undefined), after);
      };
    },
  };
}

function valueAt(item: Item, path: Path): Value | undefined {
  return path.reduce<Value | undefined>(
    (value, name) => (value && "M" in value && Object.hasOwn(value.M, name) ? value.M[name] : undefined),
    { M: item },
  );
}

const exists =
  (path: Path): Condition =>
  (item) =>
    valueAt(item, path) !== undefined;

/** What is not there equals nothing. */
function isEqual(left: Value | undefined, right: Value | undefined): boolean {
  if (right && ("M" in right || "L" in right)) throw new NotUnderstood("a comparison of lists or maps");
  return left !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

function isLess(left: Value | undefined, right: Value | undefined): boolean {
  if (!right || !("N" in right)) throw new NotUnderstood("an order of other values than numbers");
  return left !== undefined && "N" in left && toNumber(left) < toNumber(right);
}

/** DynamoDB counts with 38 digits: what JavaScript cannot hold exactly is not understood here. */
function toNumber({ N }: { N: string }): number {
  if (!Number.isSafeInteger(Number(N)) || String(Number(N)) !== N) throw new NotUnderstood(`the number ${N}`);
  return Number(N);
}

/** A copy with the value at the path, or without what is there if it is undefined. */
function put(item: Item, [name = "", ...rest]: Path, value: Value | undefined): Item {
  const { [name]: inner, ...others } = item;
  if (rest.length === 0) return value ? { ...item, [name]: value } : others;
  if (!inner || !("M" in inner)) {
    throw new Refused(
      "ValidationException",
      "The document path provided in the update expression is invalid",
    );
  }
  return { ...item, [name]: { M: put(inner.M, rest, value) } };
}
