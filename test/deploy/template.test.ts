/** The resources of each stage, and of the settings of infra/aws/parameters.yml. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { declaredRoutes } from "../../infra/local/routes.ts";
import { listIndex } from "../../lib/store/items/lists.ts";
import { propertiesOf, readTemplate, readWhole, resourcesOf, type Template } from "./templates.ts";

const prod = readTemplate("prod");
const inProd = propertiesOf(prod);
const typesOf = ({ Resources }: Template) => Object.values(Resources).map(({ Type }) => Type);
const ownTable = { "Fn::GetAtt": ["Table", "Arn"] };
const ownIndex = { "Fn::Sub": "${Table.Arn}/index/lists*" };

it.each([
  // A first deployment that fails keeps nothing; the template protects nothing, as that would prevent it.
  ["prod", 1000, 1500, "RetainExceptOnCreate", 90],
  ["staging", 250, 250, "Delete", 30],
  ["dev", 100, 100, "Delete", 7],
])(
  "%s has ceilings of %d and %d units, the table's policy %s, and logs of %d days",
  (name, reads, writes, deletion, days) => {
    const template = readTemplate(name);
    const group = {
      DeletionPolicy: "Delete",
      UpdateReplacePolicy: "Delete",
      Properties: { RetentionInDays: days },
    };

    expect(template.Resources.Table).toMatchObject({
      DeletionPolicy: deletion,
      UpdateReplacePolicy: "Retain",
    });
    const ceilings = { MaxReadRequestUnits: reads, MaxWriteRequestUnits: writes };
    // Nothing of changes, which would make each of their writes cost more.
    const projection = {
      ProjectionType: "INCLUDE",
      NonKeyAttributes: [
        ...[
          "id",
          "uid",
          "project",
          "environment",
          "environments",
          "tags",
          "revision",
          "enabled",
          "variants",
          "top",
        ],
        ...["description", "type", "stale", "audience"],
      ],
    };
    expect(propertiesOf(template).Table).toEqual({
      BillingMode: "PAY_PER_REQUEST",
      OnDemandThroughput: ceilings,
      GlobalSecondaryIndexes: [
        {
          IndexName: "lists",
          KeySchema: expect.any(Array),
          Projection: projection,
          OnDemandThroughput: ceilings,
        },
      ],
      AttributeDefinitions: expect.any(Array),
      KeySchema: expect.any(Array),
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: "KMS" },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    });
    const groups = resourcesOf(template, "AWS::Logs::LogGroup").map(([, each]) => each);
    expect(groups).toMatchObject([group, group, group, group]);
  },
);

describe("prod", () => {
  it.each(["Tags", "Variants", "Read"])("runs %s on Node 24 on arm64, with a role of its own", (name) => {
    expect(inProd[`${name}LambdaFunction`]).toEqual({
      FunctionName: `burgee-prod-${name.toLowerCase()}`,
      Handler: `dist/${name.toLowerCase()}.handler`,
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      MemorySize: 1024,
      Timeout: 10,
      Environment: {
        Variables: {
          ...{ TABLE_NAME: { Ref: "Table" }, KEY_CACHE_SECONDS: 30 },
          ...(name === "Read" && { DOCUMENT_CACHE_SECONDS: 5 }),
        },
      },
      Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
      LoggingConfig: expect.objectContaining({ LogFormat: "JSON", SystemLogLevel: "WARN" }),
      Code: { S3Bucket: "{Bucket}", S3Key: { "Fn::Sub": `\${Archives}/${name.toLowerCase()}.zip` } },
    });
  });

  it("has exactly the routes that the local server has, each to its function; polls have limits of their own", () => {
    const routes = resourcesOf(prod, "AWS::ApiGatewayV2::Route");

    expect(routes.map(([, { Properties }]) => Properties)).toMatchObject(
      declaredRoutes.map(({ routeKey, function: { name } }) => ({
        RouteKey: routeKey,
        Target: {
          "Fn::Join": ["/", ["integrations", { Ref: expect.stringMatching(new RegExp(`${name}$`, "i")) }]],
        },
      })),
    );
    expect(inProd.HttpApiStage).toMatchObject({
      // Any other name would be a prefix of every path.
      StageName: "$default",
      DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });
    const polls = routes.filter(([, { Properties }]) => /\/(client|flagd)/.test(Properties.RouteKey));
    const limits = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 };
    expect(inProd.HttpApiStage.RouteSettings).toEqual(
      Object.fromEntries(
        polls.map(([, { Properties }]) => [
          Properties.RouteKey,
          { DetailedMetricsEnabled: false, ...limits },
        ]),
      ),
    );
    // The gateway refuses settings of a route that is not there yet.
    expect(prod.Resources.HttpApiStage?.DependsOn).toEqual(
      expect.arrayContaining(polls.map(([name]) => name)),
    );
  });

  it("logs each request as one line of JSON", () => {
    const { Format } = inProd.HttpApiStage.AccessLogSettings;

    expect(Format).not.toContain("\n");
    expect(JSON.parse(Format)).toMatchObject({ requestId: "$context.requestId", status: "$context.status" });
  });

  it('permits the functions only the table and their logs, with no "*"', () => {
    const roles = Object.entries(prod.Resources).filter(([, { Type }]) => Type.startsWith("AWS::IAM::"));

    expect(roles.map(([name]) => name)).toEqual(["TagsRole", "VariantsRole", "ReadRole"]);
    for (const [, { Properties }] of roles) {
      const { Statement } = Properties.Policies[0].PolicyDocument;
      const log = Statement.pop();
      for (const { Action, Resource } of Statement) {
        expect(JSON.stringify(Action)).not.toContain("*");
        expect([ownTable, ownIndex]).toContainEqual(Resource);
      }
      expect(log.Resource).toEqual({ "Fn::GetAtt": [expect.stringMatching(/LogGroup$/), "Arn"] });
      expect(Properties).not.toHaveProperty("ManagedPolicyArns");
    }
  });

  it("has no resources of options that are off, and staging has the same ones", () => {
    const off = /Events::|Lambda::Version|Lambda::Alias|CodeDeploy|DomainName|SNS|Pipes|SQS|IAM::Policy/;

    expect(typesOf(prod).filter((type) => off.test(type))).toEqual([]);
    expect(inProd.HttpApi).not.toHaveProperty("CorsConfiguration");
    expect(typesOf(readTemplate("staging"))).toEqual(typesOf(prod));
  });
});

const options = propertiesOf(readTemplate("options"));

it("reserved concurrency and CORS are those of the settings, and the boundary is given by each deployment", () => {
  const bounded = { PermissionsBoundary: "{Boundary}" };

  expect(options).toMatchObject({
    TagsLambdaFunction: { ReservedConcurrentExecutions: 20 },
    VariantsLambdaFunction: { ReservedConcurrentExecutions: 30 },
    ReadLambdaFunction: { ReservedConcurrentExecutions: 10 },
    TagsRole: bounded,
    VariantsRole: bounded,
    ReadRole: bounded,
    EventsRole: bounded,
  });
  const { AllowOrigins } = options.HttpApi.CorsConfiguration;
  expect(AllowOrigins).toEqual(["https://admin.example.com", "http://127.0.0.1:3000"]);
});

it("the roles and the alarm of throttles name the index as the code does", () => {
  const [{ IndexName }] = inProd.Table.GlobalSecondaryIndexes;

  expect(IndexName).toBe(listIndex);
  expect(ownIndex["Fn::Sub"]).toContain(IndexName);
  const named = { Name: "GlobalSecondaryIndexName", Value: IndexName };
  expect(JSON.stringify(inProd.ThrottlesAlarm)).toContain(JSON.stringify(named));
});

it("events are sent to the account's bus, by a role that can only read the stream", () => {
  const stream = { "Fn::GetAtt": ["Table", "StreamArn"] };
  const bus = "arn:aws:events:us-east-1:123456789012:event-bus/default";
  const pipe = { Source: stream, Target: bus };

  // A stopped pipe has no metrics.
  const alarmOf = (name: string) => ({
    Dimensions: [{ Name: "PipeName", Value: { Ref: name } }],
    TreatMissingData: "ignore",
  });

  expect(options).toMatchObject({ VariantsEvents: pipe, TagsEvents: pipe });
  expect(options).toMatchObject({
    VariantsEventsAlarm: alarmOf("VariantsEvents"),
    TagsEventsAlarm: alarmOf("TagsEvents"),
  });
  expect(options.EventsRole.Policies[0].PolicyDocument.Statement).toMatchObject([
    { Resource: stream },
    { Action: "dynamodb:ListStreams", Resource: "*" },
    { Action: "events:PutEvents", Resource: bus },
    { Action: "sqs:SendMessage", Resource: { "Fn::GetAtt": ["EventsNotSent", "Arn"] } },
  ]);
});

it("alarms of CloudWatch alone, when they begin, trip the guards of their names, by a role that can do nothing else", () => {
  const { GuardsRule, GuardsDestination, GuardsConnection, GuardsRole } = options;

  expect(GuardsRule.EventPattern).toEqual({
    source: ["aws.cloudwatch"],
    "detail-type": ["CloudWatch Alarm State Change"],
    detail: { alarmName: [{ prefix: "checkout-" }], state: { value: ["ALARM"] } },
  });
  expect(GuardsRule.Targets).toMatchObject([
    {
      HttpParameters: { PathParameterValues: ["$.detail.alarmName"] },
      DeadLetterConfig: { Arn: { "Fn::GetAtt": ["GuardsNotTripped", "Arn"] } },
    },
  ]);
  const [, [address, path]] = GuardsDestination.InvocationEndpoint["Fn::Join"];
  // The custom domain may not be in DNS yet.
  expect(address).toEqual({ "Fn::GetAtt": ["HttpApi", "ApiEndpoint"] });
  const route = "/api/admin/projects/{projectId}/environments/{environment}/guards/{guard}/trip";
  expect(declaredRoutes.map(({ routeKey }) => routeKey)).toContain(`ANY ${route}`);
  expect(path["Fn::Sub"]).toBe(
    route
      .replace("{projectId}", "${GuardProject}")
      .replace("{environment}", "${GuardEnvironment}")
      .replace("{guard}", "*"),
  );
  // The key stands in no template.
  expect(GuardsConnection.AuthParameters.ApiKeyAuthParameters).toEqual({
    ApiKeyName: "Authorization",
    ApiKeyValue: "{{resolve:secretsmanager:burgee-prod-guards}}",
  });
  const destination = { "Fn::GetAtt": ["GuardsDestination", "Arn"] };
  expect(GuardsRole.Policies[0].PolicyDocument.Statement).toEqual([
    { Effect: "Allow", Action: "events:InvokeApiDestination", Resource: destination },
  ]);
  expect(GuardsRole.PermissionsBoundary).toBe("{Boundary}");
});

it.each([
  ["options", false],
  ["others", true],
])(
  "a custom domain serves the whole API; with %s the default address is turned off: %j",
  (name, isDisabled) => {
    const template = readTemplate(name);

    const { Domain, ...properties } = propertiesOf(template);
    expect(properties).toMatchObject({
      DomainMapping: { Stage: "$default" },
      HttpApi: { DisableExecuteApiEndpoint: isDisabled },
    });
    expect(Domain.MutualTlsAuthentication).toEqual(
      // By its address alone: the bucket of bootstrap.yml keeps no versions.
      isDisabled ? { TruststoreUri: "s3://burgee-archives/truststore.pem" } : undefined,
    );
    expect(template.Outputs.Url?.Value).toEqual({ "Fn::Sub": "https://${DomainName}" });
    for (const name of ["DefaultUrl", "HttpApiUrl"]) expect(name in template.Outputs).toBe(!isDisabled);
  },
);

it("no setting names a version of a file, as the bucket of bootstrap.yml has none", () => {
  const { Bucket } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8")).Resources;

  expect(Bucket.Properties).not.toHaveProperty("VersioningConfiguration");
  expect(Object.keys(readWhole("prod").Parameters).filter((name) => /Version/.test(name))).toEqual([]);
});

it.each([
  ["AlarmTopicArn", "ops@flags.dev", false],
  ["AlarmTopicArn", "", true],
  ["EventBusArn", "default", false],
  ["Truststore", "https://bucket/file", false],
  ["GuardProject", "default", true],
  ["GuardProject", "my%20project", true],
  ["GuardProject", "a/b", false],
  ["GuardEnvironment", "*", false],
  ["AlarmTopicArn", "arn:aws:sns:us-east-1:1:alarms", true],
])("%s accepts %j: %j", (name, value, accepted) => {
  const pattern = readWhole("prod").Parameters[name]?.AllowedPattern ?? "^$";

  expect(new RegExp(pattern).test(value)).toBe(accepted);
});
