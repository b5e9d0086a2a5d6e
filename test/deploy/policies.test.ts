/** The policies of the people who deploy, are on call, operate the table, or read. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Statement } from "../support/policy.ts";
import { names, readTemplate } from "./templates.ts";

const policies = ["deployer", "oncall", "operator", "reader"];
const types = new Set(
  names.flatMap((name) => Object.values(readTemplate(name).Resources).map(({ Type }) => Type)),
);

interface Grant extends Omit<Statement, "Resource"> {
  Resource: string | string[];
  Condition?: object;
}

const statementsOf = (name: string): Grant[] =>
  JSON.parse(readFileSync(`infra/policies/${name}.json`, "utf8")).Statement;
const actionsOf = (name: string) =>
  statementsOf(name).flatMap(({ Effect, Action }) => (Effect === "Allow" ? Action : []));
const toPattern = (text: string) => new RegExp(`^${text.replaceAll("*", ".*")}$`, "i");
const grants = (name: string, action: string) => actionsOf(name).some((one) => toPattern(one).test(action));

describe.each(policies)("%s", (name) => {
  it("fits into a managed policy", () => {
    expect(
      JSON.stringify(JSON.parse(readFileSync(`infra/policies/${name}.json`, "utf8"))).length,
    ).toBeLessThan(6144);
  });

  it("names the stage in each resource that can have it, and no role of people", () => {
    const free = statementsOf(name)
      .flatMap(({ Effect, Resource }) => (Effect === "Allow" ? Resource : []))
      .filter((resource) => !/burgee-STAGE(-\*|[:/]\*|$)/.test(resource));

    // What AWS names, or what a policy cannot name.
    expect(free.filter((resource) => !/^\*$|^arn:aws:apigateway:|aws-service-role/.test(resource))).toEqual(
      [],
    );
    const roles = statementsOf(name)
      .flatMap(({ Resource }) => Resource)
      .filter((one) => one.includes(":role/"));
    for (const role of roles) {
      expect("arn:aws:iam::1:role/people-burgee-prod-operator").not.toMatch(
        toPattern(role.replace("STAGE", "prod")),
      );
      expect("arn:aws:iam::1:role/burgee-prod-TagsRole-1").not.toMatch(
        toPattern(role.replace("STAGE", "dev")),
      );
    }
  });
});

it.each(["deployer", "oncall"])("%s is denied the API of another stage, by the tag of its stack", (name) => {
  expect(statementsOf(name).filter(({ Effect }) => Effect === "Deny")).toMatchObject([
    { Action: "apigateway:*", Condition: { StringNotEquals: { "aws:ResourceTag/stage": "STAGE" } } },
  ]);
});

it("deployer grants what AWS lists for reading and tagging each resource of every option", () => {
  const listed = schemas().flatMap(({ handlers, tagging }) => [
    ...(handlers.read?.permissions ?? []),
    ...(tagging?.permissions ?? []),
  ]);

  expect(listed.length).toBeGreaterThan(0);
  // The last is for keys of one's own, which no resource here has.
  expect(listed.filter((action) => !grants("deployer", action) && action !== "kms:Decrypt")).toEqual([]);
});

it("deployer has no service that no resource needs", () => {
  const services = new Set(actionsOf("deployer").map((action) => action.split(":")[0]));
  const needed = [...types].map((type) => type.split("::")[1]?.toLowerCase().replace("v2", ""));

  const own = ["cloudformation", "sts"];
  expect([...services].filter((service = "") => !own.includes(service) && !needed.includes(service))).toEqual(
    [],
  );
});

it("oncall can roll back and read everything; it can delete no table, stack or archive, and write no item", () => {
  for (const action of [
    "cloudformation:ExecuteChangeSet",
    "lambda:UpdateFunctionCode",
    "iam:PutRolePolicy",
  ]) {
    expect(grants("oncall", action)).toBe(true);
  }
  const reading = actionsOf("reader").filter((action) => !grants("oncall", action));
  expect(reading).toEqual([]);
  for (const action of ["DeleteTable", "PutItem", "UpdateItem", "DeleteItem"]) {
    expect(grants("oncall", `dynamodb:${action}`)).toBe(false);
  }
  expect(grants("oncall", "cloudformation:DeleteStack")).toBe(false);
  expect(grants("oncall", "s3:DeleteObject")).toBe(false);
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
