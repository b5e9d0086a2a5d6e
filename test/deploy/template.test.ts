/** The resources of each stage. */
import { describe, expect, it } from "vitest";
import { readRoutes } from "../../infra/local/routes.ts";
import { propertiesOf, type Resource, resourcesOf, stages, synthesise } from "./synthesis.ts";

const templates = stages.map((stage) => ({ stage, template: synthesise(stage) }));
const functions = ["Tags", "Variants"];

interface Limits {
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
}

describe.each(templates)("$stage", ({ stage, template }) => {
  const has = (name: string) => propertiesOf(template, name);

  it("has the table: on demand up to a ceiling, encrypted, with point-in-time recovery, expiry and a stream", () => {
    const [reads, writes] = { prod: [1000, 1500], staging: [250, 250], dev: [100, 100] }[stage];

    expect(has("Table")).toEqual({
      BillingMode: "PAY_PER_REQUEST",
      OnDemandThroughput: { MaxReadRequestUnits: reads, MaxWriteRequestUnits: writes },
      ContributorInsightsSpecification: { Enabled: stage !== "dev", Mode: "THROTTLED_KEYS" },
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      DeletionProtectionEnabled: stage === "prod",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: "KMS" },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    });
  });

  it(`${stage === "prod" ? "keeps" : "deletes"} the table when the stack is removed or the table replaced`, () => {
    const policy = stage === "prod" ? "Retain" : "Delete";

    expect(template.Resources.Table).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
  });

  it.each(functions)(
    "runs %s on Node 24 on arm64, traced, with a role of its own and the table's name",
    (name) => {
      const lower = name.toLowerCase();
      expect(has(`${name}LambdaFunction`)).toEqual({
        FunctionName: `burgee-${stage}-${lower}`,
        Handler: `dist/${lower}.handler`,
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        MemorySize: 1024,
        Timeout: 10,
        ...(stage === "prod" && { ReservedConcurrentExecutions: name === "Tags" ? 160 : 240 }),
        TracingConfig: { Mode: "Active" },
        Environment: { Variables: { TABLE_NAME: { Ref: "Table" }, KEY_CACHE_SECONDS: "30" } },
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Code: {
          S3Bucket: { Ref: "ServerlessDeploymentBucket" },
          S3Key: expect.stringMatching(`/${lower}.zip$`),
        },
      });
    },
  );

  it("has no other function, and no other role", () => {
    expect(resourcesOf(template, "AWS::Lambda::Function")).toHaveLength(functions.length);
    const roles = ["TagsRole", "VariantsRole", ...(stage === "prod" ? ["ReleasesRole"] : [])];
    expect(resourcesOf(template, "AWS::IAM::Role").map(([name]) => name)).toEqual(roles);
  });

  it("has exactly the routes that the local server has, each to its function", () => {
    const routes = resourcesOf(template, "AWS::ApiGatewayV2::Route").map(([, { Properties }]) => Properties);
    const target = (name: string) => `HttpApiIntegration${name[0]?.toUpperCase()}${name.slice(1)}`;

    expect(routes.map(({ RouteKey }) => RouteKey)).toEqual(readRoutes().map(({ routeKey }) => routeKey));
    expect(routes.map(({ Target }) => Target)).toEqual(
      readRoutes().map(({ function: { name } }) => ({
        "Fn::Join": ["/", ["integrations", { Ref: target(name) }]],
      })),
    );
  });

  it("serves them at the throttled stage $default, whose name is in no path", () => {
    const [rate, burst] = stage === "prod" ? [200, 400] : [50, 100];

    expect(has("HttpApi")).toMatchObject({ Name: `burgee-${stage}`, ProtocolType: "HTTP" });
    expect(has("HttpApiStage")).toMatchObject({
      StageName: "$default",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
    });
  });

  it("throttles each path; together they add up to the stage's limits", () => {
    const { RouteSettings, DefaultRouteSettings } = has("HttpApiStage");
    const limits = Object.values<Limits>(RouteSettings);
    const sum = (of: (limits: Limits) => number) => limits.map(of).reduce((total, one) => total + one, 0);

    expect(Object.keys(RouteSettings)).toEqual(readRoutes().map(({ routeKey }) => routeKey));
    expect(sum(({ ThrottlingRateLimit }) => ThrottlingRateLimit)).toBe(
      DefaultRouteSettings.ThrottlingRateLimit,
    );
    expect(sum(({ ThrottlingBurstLimit }) => ThrottlingBurstLimit)).toBe(
      DefaultRouteSettings.ThrottlingBurstLimit,
    );
    const routes = resourcesOf(template, "AWS::ApiGatewayV2::Route").map(([name]) => name);
    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(expect.arrayContaining(routes));
  });

  it("reserves as much concurrency in prod as the bursts of a function's paths need, and none elsewhere", () => {
    const reserved = functions.map((name) => has(`${name}LambdaFunction`).ReservedConcurrentExecutions);
    const [tags, ...variants] = Object.values<Limits>(has("HttpApiStage").RouteSettings).map(
      ({ ThrottlingBurstLimit }) => ThrottlingBurstLimit,
    );

    const bursts = [tags, variants.reduce((total, one) => total + one, 0)];
    expect(reserved).toEqual(stage === "prod" ? bursts : [undefined, undefined]);
  });

  it("logs each request as one JSON object, without its headers", () => {
    const { DestinationArn, Format } = has("HttpApiStage").AccessLogSettings;

    expect(DestinationArn).toEqual({ "Fn::GetAtt": ["HttpApiLogGroup", "Arn"] });
    expect(Format).not.toContain("\n");
    expect(Object.values(JSON.parse(Format))).toEqual([
      ...["$context.requestTime", "$context.requestId", "$context.identity.sourceIp", "$context.routeKey"],
      ...["$context.protocol", "$context.status", "$context.responseLength", "$context.responseLatency"],
      ...["$context.integrationLatency", "$context.integrationStatus", "$context.error.message"],
      "$context.integrationErrorMessage",
    ]);
  });

  it("keeps every log for a limited time", () => {
    const groups = resourcesOf(template, "AWS::Logs::LogGroup").map(([, { Properties }]) => Properties);
    const days = { prod: 90, staging: 30, dev: 7 }[stage];

    expect(groups.map(({ LogGroupName }) => LogGroupName)).toEqual([
      `/aws/lambda/burgee-${stage}-tags`,
      `/aws/lambda/burgee-${stage}-variants`,
      `/aws/vendedlogs/http-api/burgee-${stage}`,
    ]);
    expect(groups.map(({ RetentionInDays }) => RetentionInDays)).toEqual([days, days, days]);
  });

  it("removes the logs with the stack, so that it can be created again", () => {
    for (const [, group] of resourcesOf(template, "AWS::Logs::LogGroup")) {
      expect(group).toMatchObject({ DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
    }
  });

  it("keeps the archives readable only by the account, and over TLS only", () => {
    const { PublicAccessBlockConfiguration, BucketEncryption } = has("ServerlessDeploymentBucket");

    expect(Object.values(PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(JSON.stringify(BucketEncryption)).toContain("AES256");
    expect(JSON.stringify(has("ServerlessDeploymentBucketPolicy"))).toContain("aws:SecureTransport");
  });

  it("permits only its API to call the functions", () => {
    const permissions = resourcesOf(template, "AWS::Lambda::Permission").map(([, resource]) => resource);

    expect(permissions).toHaveLength(functions.length);
    for (const { Properties } of permissions) {
      expect(Properties.Principal).toBe("apigateway.amazonaws.com");
      expect(JSON.stringify(Properties.SourceArn)).toContain('{"Ref":"HttpApi"}');
    }
  });

  it("outputs its address and its table", () => {
    expect(template.Outputs.Url?.Value).toEqual({ "Fn::GetAtt": ["HttpApi", "ApiEndpoint"] });
    expect(template.Outputs.TableName?.Value).toEqual({ Ref: "Table" });
  });

  it("has no resources of options that are off by default", () => {
    const types = Object.values<Resource>(template.Resources).map(({ Type }) => Type);

    expect(types).not.toContain("AWS::ApiGatewayV2::DomainName");
    expect(types).not.toContain("AWS::SNS::Topic");
    expect(has("HttpApi")).not.toHaveProperty("CorsConfiguration");
  });
});
