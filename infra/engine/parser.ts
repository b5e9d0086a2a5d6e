/** Parses one expression, as far as Burgee uses them, to a function of an item and of the values of its placeholders. */
import { mostLevels, requireLevels } from "./checks.ts";
import { isEqual, isLess, type Path, put, requireDisjoint, valueAt } from "./paths.ts";
import { invalid, NotUnderstood } from "./refusals.ts";
import { reserved } from "./reserved.ts";
import type { Item, Value } from "./values.ts";

export type Condition = (item: Item, values: PlaceholderValues) => boolean;

/** A value by its placeholder. */
export type PlaceholderValues = (placeholder: string) => Value;

export interface Update {
  apply: (item: Item, values: PlaceholderValues) => Item;
  paths: readonly Path[];
}

const mostOperators = 300;

export type Names = Readonly<Record<string, string>>;

export function createParser(text: string, given: Names = {}) {
  const tokens = text.match(/[:#]?\w+|\S/g) ?? [];
  const mentions = new Set<string>();
  const next = () => tokens.shift() ?? "its end";
  const take = (wanted: string) => tokens[0] === wanted && tokens.shift() !== undefined;
  const unknown = (found: string) => new NotUnderstood(`the expression ${JSON.stringify(text)} at ${found}`);

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
    mentions.add(found);
    const meant = found.startsWith("#") ? given[found] : found;
    if (meant === undefined || meant === "") throw unknown(found);
    if (meant !== found) return meant;
    if (reserved.has(found.toUpperCase())) throw unknown(found);
    if (!/^[A-Za-z]\w*$/.test(found)) throw unknown(found);
    return found;
  }

  function value(): string {
    const found = next();
    if (!/^:\w/.test(found)) throw unknown(found);
    mentions.add(found);
    return found;
  }

  function path(): Path {
    const names = separatedBy(".", name);
    if (names.length > mostLevels)
      throw invalid(`The document path has too many nesting levels; nesting levels: ${names.length}`);
    return names;
  }

  function comparison(): Condition {
    if (take("attribute_exists")) return exists(inParentheses(path), true);
    if (take("attribute_not_exists")) return exists(inParentheses(path), false);
    const at = path();
    if (take("IN")) {
      const list = inParentheses(() => separatedBy(",", value));
      if (list.length > 100) throw invalid("An IN has at most 100 operands");
      return (item, values) => list.map(values).some((one) => isEqual(valueAt(item, at), one));
    }
    const operator = next();
    const compare = operator === "=" ? isEqual : operator === "<" ? isLess : undefined;
    if (!compare) throw unknown(operator);
    const other = value();
    return (item, values) => compare(valueAt(item, at), values(other));
  }

  function assignment() {
    const at = path();
    expect("=");
    return { at, given: value() };
  }

  function wholly<Meaning>(meaning: Meaning): Meaning {
    if (tokens.length > 0) throw unknown(next());
    return meaning;
  }

  return {
    mentions,
    condition(): Condition {
      const all = wholly(separatedBy("AND", comparison));
      // The comparisons, and an AND between two.
      const operators = 2 * all.length - 1;
      if (operators > mostOperators)
        throw invalid(`The expression contains too many operators; operator count: ${operators}`);
      // Computes all, so that a comparison that the engine does not know is refused whatever the others give.
      return (item, values) => all.map((one) => one(item, values)).every((holds) => holds);
    },
    update(): Update {
      const sets = take("SET") ? separatedBy(",", assignment) : [];
      const removed = wholly(take("REMOVE") ? separatedBy(",", path) : []);
      const paths = [...sets.map(({ at }) => at), ...removed];
      if (paths.length === 0) throw invalid("Invalid UpdateExpression: The expression can not be empty;");
      requireDisjoint(paths);
      const apply: Update["apply"] = (before, values) => {
        const valueFor = ({ at, given }: (typeof sets)[number]) => requireLevels(values(given), at.length);
        const after = sets.reduce((item, set) => put(item, set.at, valueFor(set)), before);
        return removed.reduce((item, at) => put(item, at, undefined), after);
      };
      return { apply, paths };
    },
    names(): readonly string[] {
      const all = wholly(separatedBy(",", name));
      requireDisjoint(all.map((one) => [one]));
      return all;
    },
  };
}

const exists =
  (path: Path, isWanted: boolean): Condition =>
  (item) =>
    (valueAt(item, path) !== undefined) === isWanted;
