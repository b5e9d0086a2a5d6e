/** Orders the members of a variant as people write them; DynamoDB returns them in any order. */
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
