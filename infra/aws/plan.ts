/** Reads what is to be deployed: from the stage's stack, from that of infra/aws/bootstrap.yml, and from a file. */
import { Refusal } from "../cli/refusal.ts";
import { readRegion } from "./aws.ts";
import { readSettings, type StageSettings } from "./settings.ts";
import { findStack, type Stack, type Stage } from "./stack.ts";

export interface Plan extends Stage, StageSettings {
  /** What infra/aws/bootstrap.yml made for the stage; empty without it. */
  bootstrap: Stack["outputs"];
  deployed: Stack | undefined;
}

export async function findStage(name: string, region?: string): Promise<Stage> {
  // The policies of a stage are for the names "burgee-<stage>-*", which must not be another stage's.
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    throw new Refusal(`the stage "${name}" needs a name of lower-case letters and digits only`);
  }
  return { name, region: region ?? (await readRegion()), stack: `burgee-${name}` };
}

export async function readPlan(stage: Stage, file: string | undefined): Promise<Plan> {
  const [deployed, bootstrap] = await Promise.all([
    findStack(stage),
    findStack({ ...stage, stack: `people-${stage.stack}` }),
  ]);
  const { Settings: kept } = deployed?.outputs ?? {};
  const settings = readSettings(stage.name, file, kept && JSON.parse(kept));
  return { ...stage, ...settings, bootstrap: bootstrap?.outputs ?? {}, deployed };
}

/** Of a stage that is not deployed yet, without an account. */
export function planFirst(stage: Stage, file: string | undefined): Plan {
  return { ...stage, ...readSettings(stage.name, file), bootstrap: {}, deployed: undefined };
}
