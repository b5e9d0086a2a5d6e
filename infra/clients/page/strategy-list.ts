/** Lists strategies, which a response has by id, in the order in which they decide: the first that matches a user does. */
import { inStrategyOrder } from "../../../lib/features/active-strategies.ts";
import type { ShownStrategies } from "./requests/shown.ts";

export function strategyList(strategies: ShownStrategies) {
  return inStrategyOrder(Object.entries(strategies).map(([id, strategy]) => ({ ...strategy, id })));
}
