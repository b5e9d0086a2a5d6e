/** The deployer's policy, which is made from the templates. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deployerPolicy } from "../../infra/deploy/deployer-policy.ts";
import { everyOption, stages, synthesise } from "./synthesis.ts";

const templates = [...stages.map((stage) => synthesise(stage)), synthesise("prod", everyOption)];
const types = new Set(templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)));

/** The limit of a managed policy, without white space. */
const mostCharacters = 6144;

it("the deployer's policy is made from the resources of every stage, with all options on", async () => {
  const policy = JSON.stringify(deployerPolicy(types), null, 2);

  await expect(`${policy}\n`).toMatchFileSnapshot("../../infra/policies/deployer.json");
});

it("the deployer's policy has no grants for types that no template has", () => {
  const needed = JSON.stringify(deployerPolicy(types));

  for (const type of types) {
    const without = new Set([...types].filter((other) => other !== type));
    expect(JSON.stringify(deployerPolicy(without)).length).toBeLessThanOrEqual(needed.length);
  }
  expect(JSON.stringify(deployerPolicy(new Set(["AWS::SQS::Queue"])))).not.toContain("dynamodb:");
});

it("a resource of a new type is refused", () => {
  expect(() => deployerPolicy(new Set([...types, "AWS::WAFv2::WebACL"]))).toThrow("AWS::WAFv2::WebACL");
});

it.each(["deployer", "operator", "reader"])("the %s's policy fits into a managed policy", (name) => {
  const policy = JSON.parse(readFileSync(`infra/policies/${name}.json`, "utf8"));

  expect(JSON.stringify(policy).length).toBeLessThan(mostCharacters);
});
