/** Which addresses of DynamoDB are those of AWS. */
import { expect, it } from "vitest";
import { isOfAws } from "../../../infra/cli/aws-settings.ts";

it.each([
  ["https://dynamodb.eu-central-1.amazonaws.com.:443/", true],
  ["https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com", true],
  ["https://dynamodb.cn-north-1.amazonaws.com.cn", true],
  ["https://dynamodb.us-east-1.api.aws", true],
  ["http://127.0.0.1:8000", false],
  ["http://localhost:4566", false],
  ["http://amazonaws.com.example", false],
])("%s is of AWS: %j", (endpoint, isAws) => {
  expect(isOfAws(endpoint)).toBe(isAws);
});
