import { expect, it } from "vitest";
import { faultsOf } from "./schemas.ts";
import { everyOption, stages, synthesise } from "./synthesis.ts";

const template = synthesise("prod", everyOption);

it.each(stages)("every resource of %s is as AWS's schemas have it", (stage) => {
  expect(faultsOf(synthesise(stage))).toEqual([]);
});

it("so is every resource with all options on", () => {
  expect(faultsOf(template)).toEqual([]);
});

it.each([
  ["an unknown property", { Table: { Encryption: true } }, "Table has no Encryption"],
  ["one that is missing", { HttpApiStage: { ApiId: undefined } }, "HttpApiStage lacks ApiId"],
  ["another type", { TagsLambdaFunction: { Timeout: "10" } }, "TagsLambdaFunction.Timeout is no integer"],
  [
    "an unknown property of a part",
    { Table: { SSESpecification: { SSEEnabled: true, Type: "KMS" } } },
    "Table.SSESpecification has no Type",
  ],
  [
    "another type in a list",
    { TagsLambdaFunction: { Architectures: [64] } },
    "TagsLambdaFunction.Architectures.0 is no string",
  ],
])("they would find %s", (_, changes, fault) => {
  const broken = structuredClone(template);
  for (const [name, properties] of Object.entries(changes)) {
    Object.assign(broken.Resources[name]?.Properties, properties);
  }

  expect(faultsOf(JSON.parse(JSON.stringify(broken)))).toEqual([fault]);
});

it("they would find a type that AWS does not have", () => {
  const broken = { ...template, Resources: { Wire: { Type: "AWS::DynamoDB::Wire", Properties: {} } } };

  expect(faultsOf(broken)).toEqual(["Wire: there is no AWS::DynamoDB::Wire"]);
});
