/** Finds the regular expressions in source files. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

export interface Pattern {
  file: string;
  pattern: RegExp;
}

/** Searches a folder and its subfolders. */
export function patternsIn(folder: string): Pattern[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => patternsOf(`${folder}/${name}`, readFileSync(`${folder}/${name}`, "utf8")));
}

/** Refuses code that builds a pattern from a string, which cannot be analysed here. */
export function patternsOf(file: string, code: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (makesPattern(node)) throw new Error(`${file} builds a pattern from a string`);
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, pattern: toPattern(node.text) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest));
  return found;
}

function makesPattern(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === "RegExp";
}

function toPattern(literal: string): RegExp {
  const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(literal) ?? [];
  return new RegExp(source, flags);
}
