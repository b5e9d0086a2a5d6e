/** Converts the strategies of an export of Unleash, with the constraints of their segments in place of these. */
import * as z from "zod/mini";
import type { Strategy } from "../../../lib/contract/strategies.ts";
import { type Validated, validate } from "../../../lib/contract/validate.ts";
import { readJsonFile, sourceOf } from "../../cli/json-file.ts";
import { andMore } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { strategiesStateSchema } from "../../state/schemas.ts";
import type { Segments } from "./client-document.ts";
import type { UnleashExport } from "./read-export.ts";

export type ExportedStrategy = UnleashExport["featureStrategies"][number];

/** As `GET /api/admin/segments` of Unleash responds. */
const segmentsSchema = z.looseObject({
  segments: z.array(
    z.looseObject({ id: z.union([z.number(), z.string()]), constraints: z.array(z.unknown()) }),
  ),
});

export async function readSegments(file: string | undefined): Promise<Segments> {
  if (file === undefined) return new Map();
  const { value, issues } = validate(segmentsSchema, await readJsonFile(file));
  if (issues) throw new Refusal(`${sourceOf(file)} is not a list of Unleash's segments`);
  return new Map(value.segments.map(({ id, constraints }) => [String(id), constraints]));
}

/** Without the constraints of a segment, a strategy would be on for others. */
export function requireSegments(exports: readonly UnleashExport[], segments: Segments): void {
  const names = new Map(
    exports.flatMap((one) => one.segments.map(({ id, name }) => [String(id), name ?? String(id)] as const)),
  );
  const used = exports.flatMap(({ featureStrategies }) =>
    featureStrategies.flatMap((one) => (one.segments ?? []).map(String)),
  );
  const missing = [...new Set(used)].filter((id) => !segments.has(id)).map((id) => names.get(id) ?? id);
  if (missing.length === 0) return;
  throw new Refusal(
    `strategies refer to segments: give --segments FILE with the response of GET /api/admin/segments:\n${andMore(missing.map(printable), 20, "  ")}`,
  );
}

export function parseStrategies(
  given: readonly ExportedStrategy[],
  segments: Segments,
): Validated<Strategy[]> {
  return validate(
    strategiesStateSchema,
    given.map((one, index) => toStrategy(one, index, segments)),
  );
}

function toStrategy(
  {
    id,
    name,
    title,
    disabled,
    sortOrder,
    parameters,
    constraints,
    variants,
    segments: ids,
  }: ExportedStrategy,
  index: number,
  segments: Segments,
) {
  const ofSegments = (ids ?? []).flatMap((one) => segments.get(String(one)) ?? []);
  return {
    id,
    name,
    ...(title && { title }),
    ...(disabled && { disabled }),
    // Exports have the order of Unleash, but not its numbers.
    sortOrder: sortOrder ?? index,
    parameters: Object.fromEntries(
      Object.entries(parameters ?? {}).map(([member, value]) => [member, String(value)]),
    ),
    constraints: [...(constraints ?? []), ...ofSegments].map(withoutNulls),
    variants: (variants ?? []).map(withoutNulls),
  };
}

export function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
