/** A variant with its members in the order in which people write them; the table gives them in any. */
import type { Variant } from "../../../lib/contract/variants.ts";

export function inOrder({
  name,
  weight,
  weightType,
  stickiness,
  payload,
  overrides,
  ...rest
}: Variant): Variant {
  return {
    name,
    weight,
    weightType,
    stickiness,
    ...(payload && { payload: { type: payload.type, value: payload.value } }),
    ...(overrides && { overrides: overrides.map(({ contextName, values }) => ({ contextName, values })) }),
    ...rest,
  };
}
