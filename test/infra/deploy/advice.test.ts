import { expect, it } from "vitest";
import { advise } from "../../../infra/deploy/advice.ts";
import { findStage } from "../../../infra/deploy/settings.ts";

const stage = findStage({ stage: "prod", region: "eu-central-1" });
const serving = { Url: "https://api.example.com" };
const again = "Fix the cause and deploy again";
const neverCompleted =
  "its creation never completed, and it has no table. npm run deploy removes it and starts again";
const wait =
  "CloudFormation is still working on it. Wait until npm run status -- --stage prod reports that it is done";
const resume = "aws cloudformation continue-update-rollback --stack-name burgee-prod --region eu-central-1";
const rollBack = "aws cloudformation rollback-stack --stack-name burgee-prod --region eu-central-1";

it.each([
  ["CREATE_COMPLETE", true, "complete, and serving"],
  ["UPDATE_COMPLETE", true, "complete, and serving"],
  ["UPDATE_ROLLBACK_COMPLETE", true, `rolled back to the state before, and serving. ${again}`],
  ["CREATE_FAILED", false, neverCompleted],
  ["ROLLBACK_COMPLETE", false, neverCompleted],
  ["REVIEW_IN_PROGRESS", false, neverCompleted],
  ["DELETE_FAILED", false, "fix what its events name, then run npm run remove -- --stage prod again"],
  ["CREATE_IN_PROGRESS", false, wait],
  ["UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", false, wait],
  ["UPDATE_ROLLBACK_IN_PROGRESS", false, wait],
  ["DELETE_IN_PROGRESS", false, wait],
  // CloudFormation updates such a stack only with rollback disabled.
  ["UPDATE_FAILED", false, `its last update failed and was not rolled back. Run ${rollBack}, then deploy`],
  ["UPDATE_ROLLBACK_FAILED", false, `fix what its events name, then run ${resume}`],
])("a stack that is %s can be deployed to: %j, %s", (status, canDeploy, text) => {
  expect(advise({ status, outputs: serving }, stage)).toEqual({
    canDeploy,
    text: `the stack burgee-prod is ${status}: ${text}`,
  });
});

it.each([
  ["CREATE_COMPLETE", "Run npm run deploy -- --stage prod"],
  ["UPDATE_ROLLBACK_COMPLETE", again],
])("a stack that is %s before it has an address serves nobody yet: %s", (status, todo) => {
  const text = `the stack burgee-prod is ${status}: nothing is deployed yet. ${todo}`;

  expect(advise({ status, outputs: {} }, stage)).toEqual({ canDeploy: true, text });
});

it("where there is no stack a deployment makes one", () => {
  const text = "there is no stack burgee-prod in eu-central-1";

  expect(advise(undefined, stage)).toEqual({ canDeploy: true, text });
});
