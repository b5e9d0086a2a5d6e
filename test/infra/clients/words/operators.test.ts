/** Which member of a constraint the form of the page shows for an operator. */
import { expect, it } from "vitest";
import { operators, takesOneValue } from "../../../../infra/clients/words/operators.ts";
import { constraintSchema } from "../../../../lib/contract/strategies.ts";

it.each(constraintSchema.shape.operator.options)("is the one that the API requires: %s", (operator) => {
  const isWithoutValue = constraintSchema.safeParse({ contextName: "field", operator, values: [] }).success;

  expect(Object.keys(operators)).toContain(operator);
  expect(takesOneValue(operator)).toBe(!isWithoutValue);
});
