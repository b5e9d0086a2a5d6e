/** The policies of the people who deploy, are on call, operate the table, or read. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { names, readTemplate } from "./templates.ts";

interface Grant {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

const read = (name: string) => JSON.parse(readFileSync(`infra/policies/${name}.json`, "utf8"));
const statementsOf = (name: string): Grant[] => read(name).Statement;
const actionsOf = (name: string) =>
  statementsOf(name).flatMap(({ Effect, Action }) => (Effect === "Allow" ? Action : []));
const toPattern = (text: string) => new RegExp(`^${text.replaceAll("*", ".*")}$`, "i");
const grants = (name: string, action: string) => actionsOf(name).some((one) => toPattern(one).test(action));

describe.each(["deployer", "oncall", "operator", "reader"])("%s", (name) => {
  it("fits into a managed policy", () => {
    expect(JSON.stringify(read(name)).length).toBeLessThan(6144);
  });

  it("names the stage in each resource that can have it, and no role of people", () => {
    const resources = statementsOf(name).flatMap(({ Effect, Resource }) =>
      Effect === "Allow" ? Resource : [],
    );
    const free = resources.filter((resource) => !/burgee-STAGE(-\*|[:/]\*|$)/.test(resource));

    // What AWS names, or what a policy cannot name.
    expect(free.filter((one) => !/^\*$|^arn:aws:apigateway:|aws-service-role/.test(one))).toEqual([]);
    for (const role of resources.filter((one) => one.includes(":role/"))) {
      const pattern = toPattern(role.replace("STAGE", "dev"));
      expect("arn:aws:iam::1:role/people-burgee-dev-operator").not.toMatch(pattern);
      expect("arn:aws:iam::1:role/burgee-prod-TagsRole-1").not.toMatch(pattern);
    }
  });
});

it.each(["deployer", "oncall"])("%s is denied the API of another stage, by the tag of its stack", (name) => {
  expect(statementsOf(name).filter(({ Effect }) => Effect === "Deny")).toMatchObject([
    { Action: "apigateway:*", Condition: { StringNotEquals: { "aws:ResourceTag/stage": "STAGE" } } },
  ]);
});

interface Schema {
  typeName: string;
  handlers: { read?: { permissions: string[] } };
  tagging?: { permissions?: string[] };
}

it("deployer grants what AWS lists for reading and tagging each resource of every option", () => {
  const resources = names.flatMap((name) => Object.values(readTemplate(name).Resources));
  const types = new Set(resources.map(({ Type }) => Type));
  const lib = path.join(fetchPython("cfn-lint", "test/deploy/requirements.txt"), "../lib");
  const schemas = readdirSync(lib, { recursive: true, encoding: "utf8" })
    .filter((name) => /\/cfnlint\/data\/schemas\/resources\/.*\.json$/.test(name))
    .map((name): Schema => JSON.parse(readFileSync(path.join(lib, name), "utf8")))
    .filter(({ typeName, handlers }) => types.has(typeName) && handlers);
  const listed = schemas.flatMap(({ handlers, tagging }) => [
    ...(handlers.read?.permissions ?? []),
    ...(tagging?.permissions ?? []),
  ]);

  expect(listed.length).toBeGreaterThan(0);
  // The last is for keys of one's own, which no resource here has.
  expect(listed.filter((action) => !grants("deployer", action) && action !== "kms:Decrypt")).toEqual([]);
});

it("oncall can roll back and read everything; it can delete no table, stack or archive, and write no item", () => {
  const updates = ["cloudformation:ExecuteChangeSet", "lambda:UpdateFunctionCode", "iam:PutRolePolicy"];
  for (const action of [...updates, ...actionsOf("reader")])
    expect([action, grants("oncall", action)]).toEqual([action, true]);
  const writes = ["dynamodb:DeleteTable", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"];
  for (const action of [...writes, "cloudformation:DeleteStack", "s3:DeleteObject"]) {
    expect([action, grants("oncall", action)]).toEqual([action, false]);
  }
});
