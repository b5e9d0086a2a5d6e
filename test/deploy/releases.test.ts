/** Releases: at once, or by a canary through an alias that CodeDeploy moves. */
import { describe, expect, it } from "vitest";
import { type Role, statementsOf } from "../support/policy.ts";
import { propertiesOf, resourcesOf, synthesise, type Template } from "./synthesis.ts";

const prod = synthesise("prod");
const functions = ["Tags", "Variants"];
const aliasOf = (name: string) => `${name}ProvConcLambdaAlias`;
const versionsOf = (template: Template) =>
  // osls lists versions in the order in which it reads the archives.
  resourcesOf(template, "AWS::Lambda::Version")
    .map(([name]) => name)
    .sort();

describe.each(functions)("a canary of the function %s", (name) => {
  const alias = prod.Resources[aliasOf(name)];

  it("has an alias for the version of this code, without provisioned concurrency", () => {
    const version = versionsOf(prod).find((version) => version.startsWith(`${name}LambdaVersion`));

    expect(alias?.Properties).toEqual({
      Name: "live",
      FunctionName: { Ref: `${name}LambdaFunction` },
      FunctionVersion: { "Fn::GetAtt": [version, "Version"] },
      ProvisionedConcurrencyConfig: { Ref: "AWS::NoValue" },
    });
  });

  it("is called by the API, which has the permission", () => {
    expect(propertiesOf(prod, `HttpApiIntegration${name}`).IntegrationUri).toEqual({ Ref: aliasOf(name) });
    expect(propertiesOf(prod, `${name}LambdaPermissionHttpApi`).FunctionName).toEqual({ Ref: aliasOf(name) });
    // The permission changes with `releases`, in either direction.
    for (const template of [prod, synthesise("dev")]) {
      expect(template.Resources[`HttpApiIntegration${name}`]?.DependsOn).toContain(
        `${name}LambdaPermissionHttpApi`,
      );
    }
  });

  it("is shifted by CodeDeploy, 10 % for five minutes, and rolled back by the alarms of errors and latency", () => {
    expect(alias?.UpdatePolicy).toEqual({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: "Releases" },
        DeploymentGroupName: { Ref: `${name}Releases` },
      },
    });
    expect(propertiesOf(prod, `${name}Releases`)).toMatchObject({
      ApplicationName: { Ref: "Releases" },
      DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
      DeploymentStyle: { DeploymentType: "BLUE_GREEN", DeploymentOption: "WITH_TRAFFIC_CONTROL" },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
      },
      AlarmConfiguration: {
        Enabled: true,
        Alarms: ["ServerErrorsAlarm", "LatencyAlarm", `${name}ErrorsAlarm`].map((Ref) => ({ Name: { Ref } })),
      },
    });
  });

  it("is rolled back in time: each of its alarms can fire within five minutes", () => {
    for (const { Name } of propertiesOf(prod, `${name}Releases`).AlarmConfiguration.Alarms) {
      const { Period, DatapointsToAlarm } = propertiesOf(prod, Name.Ref);
      expect(Period * DatapointsToAlarm).toBeLessThan(5 * 60);
    }
  });
});

it("CodeDeploy can move the aliases of these functions, and read alarms", () => {
  const [move, read, ...others] = statementsOf(prod.Resources.ReleasesRole as Role);

  expect(move?.Action).toEqual([
    "lambda:GetAlias",
    "lambda:UpdateAlias",
    "lambda:GetProvisionedConcurrencyConfig",
  ]);
  expect(JSON.stringify(move?.Resource)).not.toContain("*");
  expect(read).toEqual({ Effect: "Allow", Action: "cloudwatch:DescribeAlarms", Resource: "*" });
  expect(others).toEqual([]);
});

it("a release at once has the versions of a canary, which Lambda would not publish again", () => {
  expect(versionsOf(synthesise("prod", { releases: "atOnce" }))).toEqual(versionsOf(prod));
});

it("a version changes with the code or the settings only, and old versions are retained", () => {
  expect(versionsOf(synthesise("prod"))).toEqual(versionsOf(prod));
  const changed = versionsOf(synthesise("prod", { keyCacheSeconds: "0" }));
  expect(changed.filter((version) => versionsOf(prod).includes(version))).toEqual([]);
  for (const [, { DeletionPolicy }] of resourcesOf(prod, "AWS::Lambda::Version")) {
    // Except by the rollback of its own release, as it could then not be published again.
    expect(DeletionPolicy).toBe("RetainExceptOnCreate");
  }
});

it.each([
  ["staging", {}],
  ["dev", {}],
  ["prod", { releases: "atOnce" }],
])("in %s with %j the API calls the functions themselves", (stage, settings) => {
  const template = synthesise(stage, settings);
  const types = Object.values(template.Resources).map(({ Type }) => Type);

  expect(types.filter((type) => /CodeDeploy|Lambda::Alias/.test(type))).toEqual([]);
  for (const name of functions) {
    const called = { "Fn::GetAtt": [`${name}LambdaFunction`, "Arn"] };
    expect(propertiesOf(template, `HttpApiIntegration${name}`).IntegrationUri).toEqual(called);
    expect(propertiesOf(template, `${name}LambdaPermissionHttpApi`).FunctionName).toEqual(called);
  }
});
