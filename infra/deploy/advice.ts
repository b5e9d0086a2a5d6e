/** What a stack's status means to whoever deploys, and what to do about it. */
import type { Stack } from "./stack.ts";
import type { Target } from "./stages.ts";

interface Advice {
  /** Whether a deployment can be begun in this state. */
  canDeploy: boolean;
  text: string;
}

/** Its first creation was not finished: CloudFormation updates no such stack. */
const unborn = ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "REVIEW_IN_PROGRESS"];

export function advise(stack: Stack | undefined, { stage, stack: name, region }: Target): Advice {
  if (!stack) return { canDeploy: true, text: `there is no stack ${name} in ${region}` };
  const { status, outputs } = stack;
  // A first deployment begins with a stack that has nothing but the bucket for the archives.
  const serves = outputs.Url !== undefined;
  const say = (canDeploy: boolean, text: string) => ({
    canDeploy,
    text: `the stack ${name} is ${status}: ${text}`,
  });
  if (unborn.includes(status)) {
    return say(false, `it was never whole. npm run remove -- --stage ${stage}, then deploy`);
  }
  if (status === "DELETE_FAILED") {
    return say(false, `mend what its events name, then npm run remove -- --stage ${stage} again`);
  }
  if (status.endsWith("_IN_PROGRESS")) {
    const look = `npm run status -- --stage ${stage}`;
    return say(false, `CloudFormation is at work on it. Wait until ${look} tells of its end`);
  }
  if (status === "UPDATE_ROLLBACK_FAILED") {
    const command = `aws cloudformation continue-update-rollback --stack-name ${name} --region ${region}`;
    return say(false, `mend what its events name, then ${command}`);
  }
  if (status.includes("ROLLBACK")) {
    const is = serves ? "all is as it was before, and serves" : "nothing is deployed yet";
    return say(true, `${is}. Mend the reason and deploy again`);
  }
  return say(
    true,
    serves ? "whole, and serving" : `nothing is deployed yet. npm run deploy -- --stage ${stage}`,
  );
}
