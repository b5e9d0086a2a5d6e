import { expect, it } from "vitest";
import { issuesOf } from "./schemas.ts";
import { everyOption, stages, synthesise } from "./synthesis.ts";

const template = synthesise("prod", everyOption);

it.each(stages)("every resource of %s matches AWS's schemas", (stage) => {
  expect(issuesOf(synthesise(stage))).toEqual([]);
});

it("every resource matches with all options on", () => {
  expect(issuesOf(template)).toEqual([]);
});

it.each([
  ["an unknown property", { Table: { Encryption: true } }, "Table has no Encryption"],
  ["a missing property", { HttpApiStage: { ApiId: undefined } }, "HttpApiStage lacks ApiId"],
  [
    "a wrong type",
    { TagsLambdaFunction: { Timeout: "10" } },
    "TagsLambdaFunction.Timeout is not of type integer",
  ],
  [
    "an unknown nested property",
    { Table: { SSESpecification: { SSEEnabled: true, Type: "KMS" } } },
    "Table.SSESpecification has no Type",
  ],
  [
    "a wrong type in a list",
    { TagsLambdaFunction: { Architectures: [64] } },
    "TagsLambdaFunction.Architectures.0 is not of type string",
  ],
])("finds %s", (_, changes, fault) => {
  const broken = structuredClone(template);
  for (const [name, properties] of Object.entries(changes)) {
    Object.assign(broken.Resources[name]?.Properties, properties);
  }

  expect(issuesOf(JSON.parse(JSON.stringify(broken)))).toEqual([fault]);
});

it("finds an unknown type", () => {
  const broken = { ...template, Resources: { Wire: { Type: "AWS::DynamoDB::Wire", Properties: {} } } };

  expect(issuesOf(broken)).toEqual(["Wire: there is no AWS::DynamoDB::Wire"]);
});
