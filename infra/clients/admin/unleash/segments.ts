/** Segments of Unleash: constraints that strategies share. */
import * as z from "zod/mini";
import { validate } from "../../../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../../../cli/json-file.ts";
import { andMore } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { type UnleashExport, unarchivedNames } from "./export.ts";

/** The constraints of each segment, by its id. */
export type Segments = ReadonlyMap<string, readonly unknown[]>;

const listSchema = z.array(
  z.looseObject({ id: z.union([z.number(), z.string()]), constraints: z.array(z.unknown()) }),
);

/** The segments in a response of `GET /api/admin/segments` of Unleash, or in a document of SDKs. */
export const segmentsSchema = z.looseObject({ segments: z.nullish(listSchema) });

export function toSegments({ segments }: z.infer<typeof segmentsSchema>): Segments {
  return new Map((segments ?? []).map(({ id, constraints }) => [String(id), constraints]));
}

export async function readSegments(file: string | undefined): Promise<Segments> {
  if (file === undefined) return new Map();
  const { value, issues } = validate(segmentsSchema, await readJsonFile(file));
  if (issues || !value.segments) throw new Refusal(`${sourceOf(file)} is not a list of Unleash's segments`);
  return toSegments(value);
}

export function usedSegments(exports: readonly UnleashExport[]): string[] {
  const names = unarchivedNames(exports);
  const strategies = exports.flatMap(({ featureStrategies }) => featureStrategies);
  const ids = strategies.flatMap(({ featureName, segments }) =>
    names.has(featureName) ? (segments ?? []).map(String) : [],
  );
  return [...new Set(ids)];
}

/** Refuses strategies whose segments are missing: without their constraints they would be on for other users. */
export function requireSegments(exports: readonly UnleashExport[], segments: Segments): void {
  const names = new Map(
    exports.flatMap((one) => one.segments.map(({ id, name }) => [String(id), name ?? String(id)] as const)),
  );
  const missing = usedSegments(exports)
    .filter((id) => !segments.has(id))
    .map((id) => printable(names.get(id) ?? id));
  if (missing.length === 0) return;
  throw new Refusal(
    `strategies refer to segments: give --segments FILE with the response of GET /api/admin/segments:\n${andMore(missing, 20, "  ")}`,
  );
}
