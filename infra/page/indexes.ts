/** Says what the indexes in a patch mean: which variants in which environments, and before a change and after it. */
import type { Variant } from "../../lib/contract/variants.ts";
import type { Json } from "../../lib/features/json-patch/json.ts";
import { applied, readOperation, readPatch } from "./patch.ts";

export interface EnvironmentVariants {
  environment: string;
  variants: Variant[];
}

/** For each operation, the different variants that its indexes mean when it is applied, or empty. */
export function ambiguities(text: string, environments: EnvironmentVariants[]): string[] {
  const patch = readPatch(text);
  const meanings = environments.map(({ environment, variants }) => {
    const names: (string | undefined)[][] = [];
    applied(variants, patch, "index", (at, document) => {
      names[at] = indexesOf(patch[at]).map((index) => nameAt(document, index));
    });
    return { environment, names };
  });
  return patch.map((operation, at) => {
    const sentences = indexesOf(operation).map((index, position) =>
      sentence(
        index,
        meanings.map(({ environment, names }) => ({ environment, name: names[at]?.[position] })),
      ),
    );
    return sentences.join("");
  });
}

function nameAt(document: Json, index: number): string | undefined {
  const { name }: { name?: Json } = Object(Array.isArray(document) ? document[index] : undefined);
  return typeof name === "string" ? name : undefined;
}

/** The different variants that an index means, or empty. */
export function ambiguity(index: number, environments: EnvironmentVariants[]): string {
  return sentence(
    index,
    environments.map(({ environment, variants }) => ({ environment, name: variants[index]?.name })),
  );
}

function sentence(index: number, environments: { environment: string; name: string | undefined }[]): string {
  const names = new Set(environments.flatMap(({ name }) => name ?? []));
  const meanings = [...names].map((name) => {
    const having = environments.filter((each) => each.name === name);
    return `${name} in ${having.map(({ environment }) => environment).join(", ")}`;
  });
  return meanings.length > 1 ? `/${index} is ${meanings.join(", but ")}.` : "";
}

/** For each index in the patch, the other variant that it means now. */
export function movedIndexes(
  text: string,
  known: EnvironmentVariants[],
  stored: EnvironmentVariants[],
): string[] {
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
  const { op = "", path = "", from = "" } = readOperation(operation);
  const [existing, inside] = [/^\/(\d+)(\/|$)/, /^\/(\d+)\//];
  const target = ["remove", "replace"].includes(op) ? existing : inside;
  const found = [existing.exec(from), target.exec(path)];
  return found.flatMap((match) => (match ? Number(match[1]) : []));
}
