/** Converts for whom a feature is on in Unleash: strategies, with the constraints of their segments, and parents. */
import { type Dependency, dependenciesSchema, type Strategy } from "../../../../lib/contract/strategies.ts";
import { lastSortOrder } from "../../../../lib/contract/unleash-rules.ts";
import { type Validated, validate } from "../../../../lib/contract/validate.ts";
import { activeStrategies } from "../../../../lib/features/active-strategies.ts";
import { strategiesStateSchema } from "../../../state/state-file-schemas.ts";
import type { ExportedStrategy, UnleashExport } from "./export.ts";
import type { Segments } from "./segments.ts";

export function convertStrategies(
  given: readonly ExportedStrategy[],
  segments: Segments,
): Validated<Strategy[]> {
  // The first strategy that matches decides which variant a user gets, and exports are in any order.
  const active = activeStrategies(given);
  const isOrderNeeded = active.length > 1 && active.some(({ variants }) => variants && variants.length > 0);
  if (isOrderNeeded && active.some(({ sortOrder }) => sortOrder == null)) {
    const message = "has several strategies with variants, whose order an export lacks: import with --from";
    return { issues: [{ path: "", message }] };
  }
  const ordered = [...given].sort((left, right) => sortOrderOf(left) - sortOrderOf(right));
  return validate(
    strategiesStateSchema,
    ordered.map((one, index) => toStrategy(one, index, segments)),
  );
}

function sortOrderOf({ sortOrder }: ExportedStrategy): number {
  return sortOrder ?? lastSortOrder;
}

function toStrategy(given: ExportedStrategy, index: number, segments: Segments) {
  const { id, name, title, disabled, parameters, constraints, variants, segments: ids } = given;
  const ofSegments = (ids ?? []).flatMap((one) => segments.get(String(one)) ?? []);
  return {
    id,
    name,
    ...(title && { title }),
    ...(disabled && { disabled }),
    // In Unleash two may have the same number.
    sortOrder: index,
    parameters: Object.fromEntries(
      Object.entries(Object(withoutNulls(parameters))).map(([member, value]) => [member, String(value)]),
    ),
    constraints: [...(constraints ?? []), ...ofSegments].map(withoutNulls),
    variants: (variants ?? []).map(withoutNulls),
  };
}

/** Parses the parents of a feature, which Unleash has for all of its environments. */
export function parseParents(
  { dependencies }: Pick<UnleashExport, "dependencies">,
  name: string,
): Validated<Dependency[]> {
  const given = dependencies.filter(({ feature }) => feature === name).flatMap((one) => one.dependencies);
  return validate(dependenciesSchema, given.map(withoutNulls));
}

export function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
