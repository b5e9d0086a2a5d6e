/** The trees that DynamoDB's expressions are read into, and the words that they are made of. */
import { NotUnderstood } from "./values.ts";

/** Names of members, and places in lists. */
export type Path = readonly (string | number)[];

export type Operand =
  | { kind: "path"; path: Path }
  | { kind: "value"; name: string }
  | { kind: "call"; name: string; operands: readonly Operand[] }
  | { kind: "sum"; sign: 1 | -1; left: Operand; right: Operand };

export type Condition =
  | { kind: "and" | "or"; left: Condition; right: Condition }
  | { kind: "not"; of: Condition }
  | { kind: "compare"; operator: string; left: Operand; right: Operand }
  | { kind: "in"; operand: Operand; list: readonly Operand[] }
  | { kind: "call"; name: string; operands: readonly Operand[] };

export type Action = { kind: "SET"; path: Path; operand: Operand } | { kind: "REMOVE"; path: Path };

export type Names = Readonly<Record<string, string>>;

const token = /\s*(<=|>=|<>|[(),.[\]=<>+-]|:\w+|#\w+|\w+)/y;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) throw new NotUnderstood(`the expression "${text}"`);
    tokens.push(found);
  }
  return tokens;
}
