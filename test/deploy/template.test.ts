/** The resources of each stage. */
import { describe, expect, it } from "vitest";
import { readRoutes } from "../../infra/local/routes.ts";
import { propertiesOf, type Resource, readTemplate, resourcesOf, stages } from "./templates.ts";

const functions = ["Tags", "Variants"];

describe.each(stages)("%s", (stage) => {
  const template = readTemplate(stage);
  const has = (name: string) => propertiesOf(template, name);

  it("has the table: on demand up to a ceiling, encrypted, with point-in-time recovery and expiry, without extras", () => {
    const [reads, writes] = { prod: [1000, 1500], staging: [250, 250], dev: [100, 100] }[stage];

    expect(has("Table")).toEqual({
      BillingMode: "PAY_PER_REQUEST",
      OnDemandThroughput: { MaxReadRequestUnits: reads, MaxWriteRequestUnits: writes },
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
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    });
  });

  it(`${stage === "prod" ? "keeps" : "deletes"} the table when the stack is removed or the table replaced`, () => {
    const policy = stage === "prod" ? "Retain" : "Delete";

    expect(template.Resources.Table).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
  });

  it.each(functions)(
    "runs %s on Node 24 on arm64, with a role of its own and no reserved concurrency",
    (name) => {
      const lower = name.toLowerCase();
      expect(has(`${name}LambdaFunction`)).toEqual({
        FunctionName: `burgee-${stage}-${lower}`,
        Handler: `dist/${lower}.handler`,
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        MemorySize: 1024,
        Timeout: 10,
        TracingConfig: { Mode: "PassThrough" },
        Environment: { Variables: { TABLE_NAME: { Ref: "Table" }, KEY_CACHE_SECONDS: "30" } },
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Code: {
          S3Bucket: { Ref: "ServerlessDeploymentBucket" },
          S3Key: expect.stringMatching(`/${lower}.zip$`),
        },
      });
    },
  );

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

  it("throttles each path by itself, at the stage $default, whose name is in no path", () => {
    const [ThrottlingRateLimit, ThrottlingBurstLimit] = stage === "prod" ? [50, 100] : [10, 20];
    const { RouteSettings, ...others } = has("HttpApiStage");

    expect(has("HttpApi")).toMatchObject({ Name: `burgee-${stage}`, ProtocolType: "HTTP" });
    expect(others).toMatchObject({ StageName: "$default", AutoDeploy: true });
    expect(RouteSettings).toEqual(
      Object.fromEntries(
        readRoutes().map(({ routeKey }) => [routeKey, { ThrottlingRateLimit, ThrottlingBurstLimit }]),
      ),
    );
    const routes = resourcesOf(template, "AWS::ApiGatewayV2::Route").map(([name]) => name);
    expect(template.Resources.HttpApiStage?.DependsOn).toEqual(expect.arrayContaining(routes));
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

  it("keeps every log for a limited time, and removes it with the stack, so that it can be created again", () => {
    const days = { prod: 90, staging: 30, dev: 7 }[stage];
    const removed = { DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" };
    const groups = [
      ...["/aws/lambda/burgee-STAGE-tags", "/aws/lambda/burgee-STAGE-variants"],
      "/aws/vendedlogs/http-api/burgee-STAGE",
    ].map((name) => name.replace("STAGE", stage));

    expect(resourcesOf(template, "AWS::Logs::LogGroup").map(([, group]) => group)).toMatchObject(
      groups.map((LogGroupName) => ({ ...removed, Properties: { LogGroupName, RetentionInDays: days } })),
    );
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

  it("outputs its address, its table and its commit", () => {
    expect(template.Outputs.Url?.Value).toEqual({ "Fn::GetAtt": ["HttpApi", "ApiEndpoint"] });
    expect(template.Outputs.TableName?.Value).toEqual({ Ref: "Table" });
    expect(template.Outputs.Commit?.Value).toBe("unknown");
  });

  it("has no versions, aliases or resources of options that are off", () => {
    const types = Object.values<Resource>(template.Resources).map(({ Type }) => Type);
    const off = /Lambda::Version|Lambda::Alias|CodeDeploy|DomainName|SNS|Pipes|SQS|IAM::Policy/;

    expect(types.filter((type) => off.test(type))).toEqual([]);
    expect(has("HttpApi")).not.toHaveProperty("CorsConfiguration");
  });
});

it("staging differs from prod in sizes and protection only", () => {
  const [prod, staging] = ["prod", "staging"].map((stage) => Object.keys(readTemplate(stage).Resources));

  expect(staging).toEqual(prod);
});
