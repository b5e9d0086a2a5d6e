/** Says what the indexes in a patch mean: which variants in which environments, and before a change and after it. */
import type { Variant } from "../../lib/contract/variants.ts";
import { applied, readPatch, type Values } from "./patch.ts";

export interface Environment {
  environment: string;
  variants: Variant[];
}

/** For each operation, the different variants that its indexes mean when it is applied, or empty. */
export function ambiguities(text: string, environments: Environment[]): string[] {
  let lists = environments;
  return readPatch(text).map((operation) => {
    const sentences = indexesOf(operation).map((index) => ambiguity(index, lists));
    lists = lists.map((each) => ({ ...each, variants: applied(each.variants, [operation], "index") }));
    return sentences.join("");
  });
}

/** The different variants that an index means, or empty. */
export function ambiguity(index: number, environments: Environment[]): string {
  const nameIn = ({ variants }: Environment) => variants[index]?.name;
  const names = new Set(environments.flatMap((each) => nameIn(each) ?? []));
  const meanings = [...names].map((name) => {
    const having = environments.filter((each) => nameIn(each) === name);
    return `${name} in ${having.map(({ environment }) => environment).join(", ")}`;
  });
  return meanings.length > 1 ? `/${index} is ${meanings.join(", but ")}.` : "";
}

/** For each index in the patch, the other variant that it means now. */
export function movedIndexes(text: string, known: Environment[], stored: Environment[]): string[] {
  const indexes = new Set(readPatch(text).flatMap(indexesOf));
  return known.flatMap(({ environment, variants }) => {
    const { variants: now = [] } = stored.find((each) => each.environment === environment) ?? {};
    return [...indexes].flatMap((index) => {
      const [was, is] = [variants, now].map((list) => list[index]?.name ?? "nothing");
      return was === is ? [] : [`${environment}: /${index} was ${was} and is now ${is}.`];
    });
  });
}

/** Those of variants that are there. The index at which a variant is inserted is of none. */
function indexesOf(operation: unknown): number[] {
  const { op = "", path, from }: Values = Object(operation);
  const [existing, inside] = [/^\/(\d+)(\/|$)/, /^\/(\d+)\//];
  const target = ["remove", "replace"].includes(op) ? existing : inside;
  const found = [existing.exec(`${from}`), target.exec(`${path}`)];
  return found.flatMap((match) => (match ? Number(match[1]) : []));
}
