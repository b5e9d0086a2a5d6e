/** What a stack's status means to whoever deploys, and what to do about it. */
import type { Stack } from "./stack.ts";
import type { Target } from "./stages.ts";

interface Advice {
  /** Whether a deployment can be begun in this state. */
  canDeploy: boolean;
  text: string;
}

/** Its first creation failed: CloudFormation updates no such stack. */
const unborn = new Set([
  ...["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "REVIEW_IN_PROGRESS", "DELETE_FAILED"],
]);

export function advise(stack: Stack | undefined, { stage, stack: name, region }: Target): Advice {
  if (!stack) return { canDeploy: true, text: `there is no stack ${name} in ${region}` };
  const { status } = stack;
  const is = `the stack ${name} is ${status}`;
  if (unborn.has(status)) {
    const text = `${is}: it was never whole, and serves nobody. npm run remove -- --stage ${stage}, then deploy`;
    return { canDeploy: false, text };
  }
  if (status.endsWith("_IN_PROGRESS")) {
    const look = `npm run status -- --stage ${stage}`;
    return { canDeploy: false, text: `${is}: CloudFormation is at work on it. Wait for its end (${look})` };
  }
  if (status === "UPDATE_ROLLBACK_FAILED") {
    const command = `aws cloudformation continue-update-rollback --stack-name ${name} --region ${region}`;
    return { canDeploy: false, text: `${is}: mend what the events of the stack name, then ${command}` };
  }
  if (status.includes("ROLLBACK")) {
    return {
      canDeploy: true,
      text: `${is}: all of it is as it was before, and serves. Mend it and deploy again`,
    };
  }
  return { canDeploy: true, text: `${is}: whole, and serving` };
}
