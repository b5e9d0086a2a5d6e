/** Where CloudFormation reads a template, in each kind of region. */
import { expect, it } from "vitest";
import { templateUrl } from "../../../infra/aws/deployments.ts";

it.each([
  ["us-east-1", "amazonaws.com"],
  ["us-gov-west-1", "amazonaws.com"],
  ["cn-north-1", "amazonaws.com.cn"],
  ["eusc-de-east-1", "amazonaws.eu"],
])("in %s the address of a template ends in %s", (region, domain) => {
  const stage = { name: "prod", region, stack: "burgee-prod" };

  expect(templateUrl(stage, "bucket", "deployments/1")).toBe(
    `https://s3.${region}.${domain}/bucket/deployments/1/template.json`,
  );
});
