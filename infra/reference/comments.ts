/**
 * Reads doc comments from the sources for the OpenAPI document's descriptions, so that they add nothing to the bundles.
 */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { limits } from "../../lib/contract/limits.ts";
import { projectFile } from "../cli/project-file.ts";

export type Comments = Readonly<Record<string, string>>;

/** Relies on Biome's layout: declarations are not indented, members are and have lines of their own. */
const pattern = /^(?: *\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?( *)(?:(?:export|const|class|interface) )*(\w+)/gm;

/**
 * Returns the comments by `declaration` and by `declaration.member`. Only const, class and interface declarations are
 * recognised.
 */
export function readComments(file: string): Comments {
  const comments: Record<string, string> = {};
  let declaration = "";
  for (const [, comment, indent, name = ""] of readFileSync(projectFile(file), "utf8").matchAll(pattern)) {
    if (!indent) declaration = name;
    if (comment !== undefined) comments[indent ? `${declaration}.${name}` : name] = toText(comment);
  }
  return comments;
}

/**
 * Returns the comments of the contract's schemas by `schema` and by `schema.member`, as an editor shows them: the
 * compiler resolves a member that a schema spreads to its declaration.
 */
export function readSchemaComments(): Comments {
  const { exported, checker } = compileContract();
  const textOf = (symbol: ts.Symbol) =>
    toText(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
  const typeOf = (type: ts.Type | undefined, member: string) => {
    const symbol = type && checker.getPropertyOfType(type, member);
    return symbol && checker.getTypeOfSymbol(symbol);
  };
  return Object.fromEntries(
    exported.flatMap((schema) => {
      // What a schema accepts, before it transforms it. Exports that are no schemas have no such type.
      const input = typeOf(typeOf(checker.getTypeOfSymbol(schema), "_zod"), "input");
      const members = input ? checker.getPropertiesOfType(input) : [];
      return [
        [schema.name, textOf(schema)],
        ...members.map((member) => [`${schema.name}.${member.name}`, textOf(member)]),
      ];
    }),
  );
}

function compileContract(): { exported: readonly ts.Symbol[]; checker: ts.TypeChecker } {
  const files = readdirSync(projectFile("lib/contract"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => projectFile(`lib/contract/${name}`));
  const { config } = ts.readConfigFile(projectFile("tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, projectFile(""));
  const program = ts.createProgram(files, { ...options, types: [] });
  const checker = program.getTypeChecker();
  const exported = files
    .flatMap((file) => program.getSourceFile(file) ?? [])
    .flatMap((file) => checker.getSymbolAtLocation(file) ?? [])
    .flatMap((module) => checker.getExportsOfModule(module));
  return { exported, checker };
}

/** A blank line ends a paragraph, a hyphen begins an element of a list, and a link to a limit becomes its value. */
function toText(comment: string): string {
  const paragraphs = comment.replaceAll(/\n *(?:\* *)?/g, "\n").replaceAll(/(?<!\n)\n(?!\n|- )/g, " ");
  return paragraphs.trim().replaceAll(/\{@link limits\.(\w+) ?\}/g, (_, name: keyof typeof limits) => {
    if (name.endsWith("Seconds")) return `${limits[name] / 3600}h`;
    return name.endsWith("Bytes") ? `${limits[name] / 1024} KiB` : String(limits[name]);
  });
}
