/** Lists all scenarios: the callers, their requests and the faults that may strike. */
import { creationScenarios } from "./creations.ts";
import { guardScenarios } from "./guards.ts";
import { operatorScenarios } from "./operators.ts";
import { patchScenarios } from "./patches.ts";
import type { Scenario } from "./scenario.ts";
import { strategyScenarios } from "./strategies.ts";
import { switchScenarios } from "./switches.ts";
import { tagScenarios } from "./tags.ts";
import { undoScenarios } from "./undos.ts";

export const scenarios: readonly Scenario[] = [
  ...patchScenarios,
  ...tagScenarios,
  ...undoScenarios,
  ...switchScenarios,
  ...strategyScenarios,
  ...guardScenarios,
  ...creationScenarios,
  ...operatorScenarios,
];
