/** Reads DynamoDB's expressions. */
import { type Action, type Condition, type Names, type Operand, type Path, tokenize } from "./syntax.ts";
import { NotUnderstood } from "./values.ts";

const keyword = /^(AND|OR|NOT|IN|BETWEEN|SET|REMOVE|ADD|DELETE)$/i;
const comparators = ["=", "<>", "<", "<=", ">", ">="];

/** A parser over one expression; `used` gathers the names and values that it mentions. */
export function parser(text: string, names: Names, used: Set<string>) {
  const tokens = tokenize(text);
  let at = 0;

  const peek = () => tokens[at] ?? "";
  const next = () => tokens[at++] ?? "";
  const is = (...wanted: string[]) => wanted.includes(peek().toUpperCase());
  const take = (...wanted: string[]) => (is(...wanted) ? next().toUpperCase() : undefined);
  function expect(wanted: string): void {
    if (!take(wanted)) throw new NotUnderstood(`"${text}": ${wanted} is missing before "${peek()}"`);
  }

  function name(): string {
    const one = next();
    if (!/^#?\w+$/.test(one) || keyword.test(one)) throw new NotUnderstood(`"${text}": the name "${one}"`);
    if (!one.startsWith("#")) return one;
    used.add(one);
    const meant = names[one];
    if (meant === undefined) throw new NotUnderstood(`"${text}": ${one} has no meaning`);
    return meant;
  }

  function path(): Path {
    const steps: (string | number)[] = [name()];
    for (let sign = take(".", "["); sign; sign = take(".", "[")) {
      if (sign === ".") steps.push(name());
      else {
        steps.push(Number(next()));
        expect("]");
      }
    }
    return steps;
  }

  function operand(): Operand {
    if (peek().startsWith(":")) {
      used.add(peek());
      return { kind: "value", name: next() };
    }
    return tokens[at + 1] === "(" ? call() : { kind: "path", path: path() };
  }

  function call(): Operand & { kind: "call" } {
    const called = next();
    expect("(");
    const operands = separated(operand);
    expect(")");
    return { kind: "call", name: called, operands };
  }

  function separated<One>(one: () => One): One[] {
    const all = [one()];
    while (take(",")) all.push(one());
    return all;
  }

  function condition(): Condition {
    let left = conjunction();
    while (take("OR")) left = { kind: "or", left, right: conjunction() };
    return left;
  }

  function conjunction(): Condition {
    let left = negation();
    while (take("AND")) left = { kind: "and", left, right: negation() };
    return left;
  }

  function negation(): Condition {
    if (take("NOT")) return { kind: "not", of: negation() };
    if (take("(")) {
      const inner = condition();
      expect(")");
      return inner;
    }
    return comparison();
  }

  function comparison(): Condition {
    const left = operand();
    if (take("IN")) {
      expect("(");
      const list = separated(operand);
      expect(")");
      return { kind: "in", operand: left, list };
    }
    const operator = take(...comparators);
    if (operator) return { kind: "compare", operator, left, right: operand() };
    if (left.kind === "call") return left;
    throw new NotUnderstood(`"${text}" at "${peek()}"`);
  }

  function assignment(): Action {
    const to = path();
    expect("=");
    const left = operand();
    const sign = take("+", "-");
    if (!sign) return { kind: "SET", path: to, operand: left };
    const sum: Operand = { kind: "sum", sign: sign === "+" ? 1 : -1, left, right: operand() };
    return { kind: "SET", path: to, operand: sum };
  }

  function actions(): Action[] {
    if (take("SET")) return separated(assignment);
    if (take("REMOVE")) return separated(() => ({ kind: "REMOVE", path: path() }));
    throw new NotUnderstood(`"${text}" at "${peek()}"`);
  }

  function toTheEnd<Parsed>(parsed: Parsed): Parsed {
    if (at < tokens.length) throw new NotUnderstood(`"${text}" at "${peek()}"`);
    return parsed;
  }

  return {
    condition: () => toTheEnd(condition()),
    update() {
      const all = actions();
      while (at < tokens.length) all.push(...actions());
      return all;
    },
  };
}
