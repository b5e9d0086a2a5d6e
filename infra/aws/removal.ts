/** Removes a stage, and writes its settings to a file. */
import { existsSync, writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import { connect } from "./aws.ts";
import { settingsOf } from "./settings.ts";
import { describeStack, type Stack, type Stage, type Values, waitForStack } from "./stack.ts";

export async function remove(stage: Stage, stack: Stack): Promise<void> {
  if (stack.isProtected) {
    const command = `aws cloudformation update-termination-protection --stack-name ${stage.stack}`;
    throw new Refusal(`${stage.stack} is protected: ${command} --no-enable-termination-protection`);
  }
  const settings = settingsOf(stack.parameters);
  if (Object.keys(settings).length > 0) writeSettings(stage, settings);
  await deleteStack(stage);
}

function writeSettings({ stack }: Stage, settings: Values): void {
  const usual = `${stack}.yml`;
  // An operator may have corrected the file of an earlier removal.
  const file = existsSync(usual) ? `${stack}-${Date.now()}.yml` : usual;
  writeFileSync(file, stringify(settings));
  console.error(`burgee: the settings are in ${file}, for --settings of the next deployment`);
}

export async function deleteStack(stage: Stage): Promise<void> {
  await connect("CloudFormation", stage.region).deleteStack({ StackName: stage.stack });
  const left = await waitForStack(stage);
  if (left) throw new Refusal(`the removal did not complete; ${describeStack(left, stage)}`);
}
