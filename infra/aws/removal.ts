/** Removes a stage, and writes its settings to a file. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import { connect } from "./aws.ts";
import { settingsOf } from "./settings.ts";
import { describeStack, type Stack, type Stage, waitForStack } from "./stack.ts";

export async function remove(stage: Stage, { parameters }: Stack): Promise<void> {
  const usual = `${stage.stack}.yml`;
  // An operator may have corrected the file of an earlier removal.
  const file = existsSync(usual) ? `${stage.stack}-${Date.now()}.yml` : usual;
  writeFileSync(file, stringify(settingsOf(parameters)));
  const client = connect("CloudFormation", stage.region);
  // CloudFormation refuses it while the stack is protected.
  await client.deleteStack({ StackName: stage.stack }).catch((error) => {
    rmSync(file);
    throw error;
  });
  console.error(`burgee: the settings are in ${file}, for --settings of the next deployment`);
  const left = await waitForStack(stage);
  if (left) throw new Refusal(`the removal did not complete; ${describeStack(left, stage)}`);
}
