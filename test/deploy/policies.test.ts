/** The deployer's policy, which is made from the templates. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
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

it("the deployer's policy grants what AWS lists for reading and tagging each resource", () => {
  const patterns = deployerPolicy(types).Statement.flatMap(({ Action }) =>
    Action.map((action) => new RegExp(`^${action.replaceAll("*", ".*")}$`, "i")),
  );
  const listed = schemas().flatMap(({ handlers, tagging }) => [
    ...(handlers.read?.permissions ?? []),
    ...(tagging?.permissions ?? []),
  ]);

  expect(listed.length).toBeGreaterThan(0);
  const missing = listed.filter((action) => !patterns.some((pattern) => pattern.test(action)));
  // For keys of one's own, which no resource here has.
  expect(missing.filter((action) => action !== "kms:Decrypt")).toEqual([]);
});

interface Schema {
  typeName: string;
  handlers: { read?: { permissions: string[] } };
  tagging?: { permissions?: string[] };
}

/** AWS's schemas of these types, from cfn-lint. */
function schemas(): Schema[] {
  const python = readdirSync(".cache/cfn-lint/lib").find((name) => name.startsWith("python")) ?? "";
  const folder = `.cache/cfn-lint/lib/${python}/site-packages/cfnlint/data/schemas/resources`;
  const all: Schema[] = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), "utf8")),
  );
  return all.filter(({ typeName, handlers }) => types.has(typeName) && handlers);
}

it("a resource of a new type is refused", () => {
  expect(() => deployerPolicy(new Set([...types, "AWS::WAFv2::WebACL"]))).toThrow("AWS::WAFv2::WebACL");
});

it.each(["deployer", "operator", "reader"])("the %s's policy fits into a managed policy", (name) => {
  const policy = JSON.parse(readFileSync(`infra/policies/${name}.json`, "utf8"));

  expect(JSON.stringify(policy).length).toBeLessThan(mostCharacters);
});
