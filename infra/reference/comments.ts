/**
 * Reads doc comments from the sources for the OpenAPI document's descriptions, so that they add nothing to the bundles.
 */
import { readFileSync } from "node:fs";
import { limits } from "../../lib/contract/limits.ts";
import { projectFile } from "../cli/project-file.ts";

/** Relies on Biome's layout: declarations are not indented, members are and have lines of their own. */
const pattern = /^(?: *\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?( *)(?:(?:export|const|class|interface) )*(\w+)/gm;

/**
 * Returns the comments by `declaration`, by `declaration.member`, and by `.member` the first of that name in the file. Only const, class and
 * interface declarations are recognised.
 */
export function readComments(file: string): Readonly<Record<string, string>> {
  const comments: Record<string, string> = {};
  let declaration = "";
  for (const [, comment, indent, name = ""] of readFileSync(projectFile(file), "utf8").matchAll(pattern)) {
    if (!indent) declaration = name;
    if (comment === undefined) continue;
    comments[indent ? `${declaration}.${name}` : name] = toText(comment);
    if (indent) comments[`.${name}`] ??= toText(comment);
  }
  return comments;
}

/** A blank line ends a paragraph, a hyphen begins an element of a list, and a link to a limit becomes its value. */
function toText(comment: string): string {
  const paragraphs = comment.replaceAll(/\n *\* */g, "\n").replaceAll(/(?<!\n)\n(?!\n|- )/g, " ");
  return paragraphs.trim().replaceAll(/\{@link limits\.(\w+)\}/g, (_, name: keyof typeof limits) => {
    if (name.endsWith("Seconds")) return `${limits[name] / 3600}h`;
    return name.endsWith("Bytes") ? `${limits[name] / 1024} KiB` : String(limits[name]);
  });
}
