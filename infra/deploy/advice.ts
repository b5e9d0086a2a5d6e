/** Explains a stack's status to the operator, with what to do about it. */

import type { Stage } from "./settings.ts";
import type { Stack } from "./stack.ts";

interface Advice {
  /** Whether a deployment can start in this state. */
  canDeploy: boolean;
  text: string;
}

/** The first creation did not finish, and CloudFormation cannot update such a stack. */
export const neverCreated = ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "REVIEW_IN_PROGRESS"];

export function advise(stack: Stack | undefined, { name, stack: stackName, region }: Stage): Advice {
  if (!stack) return { canDeploy: true, text: `there is no stack ${stackName} in ${region}` };
  const { status, outputs } = stack;
  // A first deployment starts with a stack that has only the bucket for the archives.
  const serves = outputs.Url !== undefined;
  const say = (canDeploy: boolean, text: string) => ({
    canDeploy,
    text: `the stack ${stackName} is ${status}: ${text}`,
  });
  if (neverCreated.includes(status)) {
    return say(
      false,
      "its creation never completed, and it has no table. npm run deploy removes it and starts again",
    );
  }
  if (status === "DELETE_FAILED") {
    return say(false, `fix what its events name, then run npm run remove -- --stage ${name} again`);
  }
  if (status.endsWith("_IN_PROGRESS")) {
    const look = `npm run status -- --stage ${name}`;
    return say(false, `CloudFormation is still working on it. Wait until ${look} reports that it is done`);
  }
  const aws = (command: string) =>
    `aws cloudformation ${command} --stack-name ${stackName} --region ${region}`;
  if (status === "UPDATE_ROLLBACK_FAILED") {
    return say(false, `fix what its events name, then run ${aws("continue-update-rollback")}`);
  }
  if (status === "UPDATE_FAILED") {
    const is = "its last update failed and was not rolled back";
    return say(false, `${is}. Run ${aws("rollback-stack")}, then deploy`);
  }
  if (status.includes("ROLLBACK")) {
    const is = serves ? "rolled back to the state before, and serving" : "nothing is deployed yet";
    return say(true, `${is}. Fix the cause and deploy again`);
  }
  return say(
    true,
    serves ? "complete, and serving" : `nothing is deployed yet. Run npm run deploy -- --stage ${name}`,
  );
}
