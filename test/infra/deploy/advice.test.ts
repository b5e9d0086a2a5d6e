import { expect, it } from "vitest";
import { advise } from "../../../infra/deploy/advice.ts";

const target = { stage: "prod", stack: "burgee-prod", region: "eu-central-1", isSilent: false };
const inState = (status: string) => advise({ status, outputs: { Url: "https://api.example.com" } }, target);

it.each(["CREATE_COMPLETE", "UPDATE_COMPLETE"])(
  "a stack that is %s serves, and can be deployed to",
  (status) => {
    expect(inState(status)).toEqual({
      canDeploy: true,
      text: `the stack burgee-prod is ${status}: complete, and serving`,
    });
  },
);

it("where there is no stack a deployment makes one", () => {
  expect(advise(undefined, target)).toEqual({
    canDeploy: true,
    text: "there is no stack burgee-prod in eu-central-1",
  });
});

it("a deployment that was rolled back left all as it was, and the next one may begin", () => {
  expect(inState("UPDATE_ROLLBACK_COMPLETE")).toEqual({
    canDeploy: true,
    text: expect.stringContaining("rolled back to the state before, and serving"),
  });
});

it.each([
  ["CREATE_COMPLETE", "Run npm run deploy -- --stage prod"],
  ["UPDATE_ROLLBACK_COMPLETE", "Fix the cause and deploy again"],
])("a stack that is %s before it has an address serves nobody yet: %s", (status, todo) => {
  const text = `the stack burgee-prod is ${status}: nothing is deployed yet. ${todo}`;

  expect(advise({ status, outputs: {} }, target)).toEqual({ canDeploy: true, text });
});

it.each([
  ["CREATE_FAILED", "npm run remove -- --stage prod, then deploy"],
  ["ROLLBACK_COMPLETE", "npm run remove -- --stage prod, then deploy"],
  ["REVIEW_IN_PROGRESS", "npm run remove -- --stage prod, then deploy"],
  ["DELETE_FAILED", "npm run remove -- --stage prod again"],
  ["CREATE_IN_PROGRESS", "Wait until npm run status -- --stage prod reports that it is done"],
  ["UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "Wait until npm run status"],
  ["UPDATE_ROLLBACK_IN_PROGRESS", "Wait until npm run status"],
  ["DELETE_IN_PROGRESS", "Wait until npm run status"],
  [
    "UPDATE_ROLLBACK_FAILED",
    "aws cloudformation continue-update-rollback --stack-name burgee-prod --region eu-central-1",
  ],
])("a stack that is %s is not deployed to: %s", (status, todo) => {
  expect(inState(status)).toEqual({ canDeploy: false, text: expect.stringContaining(todo) });
});
