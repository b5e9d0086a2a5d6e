/** The resources of each stage, and of the options of infra/aws/settings.yml. */
import { describe, expect, it } from "vitest";
import { readRoutes } from "../../infra/local/routes.ts";
import { propertiesOf, readProvider, readTemplate, resourcesOf, type Template } from "./templates.ts";

const prod = readTemplate("prod");
const inProd = propertiesOf(prod);
const typesOf = ({ Resources }: Template) => Object.values(Resources).map(({ Type }) => Type);
const ownTable = { "Fn::Sub": [expect.stringMatching(/:table\/\$\{Name\}$/), { Name: { Ref: "Table" } }] };
const ownIndex = {
  "Fn::Sub": [expect.stringMatching(/:table\/\$\{Name\}\/index\/lists$/), { Name: { Ref: "Table" } }],
};

it.each([
  // A first deployment that fails keeps nothing; the template protects nothing, as that would prevent it.
  ["prod", 1000, 1500, "RetainExceptOnCreate", "Retain", 90],
  ["staging", 250, 250, "Delete", "Delete", 30],
  ["dev", 100, 100, "Delete", "Delete", 7],
])(
  "%s has ceilings of %d and %d units, the table's policies %s and %s, and logs of %d days",
  (name, reads, writes, deletion, replacement, days) => {
    const template = readTemplate(name);
    const group = {
      DeletionPolicy: "Delete",
      UpdateReplacePolicy: "Delete",
      Properties: { RetentionInDays: days },
    };

    expect(template.Resources.Table).toMatchObject({
      DeletionPolicy: deletion,
      UpdateReplacePolicy: replacement,
    });
    const ceilings = { MaxReadRequestUnits: reads, MaxWriteRequestUnits: writes };
    // Nothing of changes, which would make each of their writes cost more.
    const projection = {
      ProjectionType: "INCLUDE",
      NonKeyAttributes: [
        "id",
        "uid",
        "project",
        "environment",
        "environments",
        "tags",
        "revision",
        "variants",
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
          ...{ TABLE_NAME: { Ref: "Table" }, KEY_CACHE_SECONDS: "30" },
          ...(name === "Read" && { DOCUMENT_CACHE_SECONDS: "5" }),
        },
      },
      Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
      Code: expect.anything(),
    });
  });

  it("has exactly the routes that the local server has, each to its function; the limits name none of them", () => {
    const routes = resourcesOf(prod, "AWS::ApiGatewayV2::Route");
    const local = readRoutes();

    expect(routes.map(([, { Properties }]) => Properties)).toMatchObject(
      local.map(({ routeKey, function: { name } }) => ({
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
    expect(inProd.HttpApiStage).not.toHaveProperty("RouteSettings");
  });

  it("has a table that no update of the stack replaces or deletes", () => {
    const [, deny] = readProvider("prod").stackPolicy;

    expect(deny).toMatchObject({ Effect: "Deny", Action: ["Update:Replace", "Update:Delete"] });
    expect(inProd).toHaveProperty(deny.Resource.replace("LogicalResourceId/", ""));
  });

  it("logs each request as one line of JSON", () => {
    const { Format } = inProd.HttpApiStage.AccessLogSettings;

    expect(Format).not.toContain("\n");
    expect(JSON.parse(Format)).toMatchObject({ requestId: "$context.requestId", status: "$context.status" });
  });

  it("keeps its archives private, and over TLS only", () => {
    const { PublicAccessBlockConfiguration } = inProd.ServerlessDeploymentBucket;

    expect(Object.values(PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(JSON.stringify(inProd.ServerlessDeploymentBucketPolicy)).toContain("aws:SecureTransport");
  });

  it('permits the functions only the table and their logs, with no "*"', () => {
    const roles = Object.entries(prod.Resources).filter(([, { Type }]) => Type.startsWith("AWS::IAM::"));

    expect(roles.map(([name]) => name)).toEqual(["TagsRole", "VariantsRole", "ReadRole"]);
    for (const [, { Properties }] of roles) {
      const { Statement } = Properties.Policies[0].PolicyDocument;
      const log = Statement.pop();
      for (const { Action, Resource } of Statement) {
        expect(JSON.stringify(Action)).not.toContain("*");
        expect([[ownTable], [ownIndex]]).toContainEqual(Resource);
      }
      expect(log.Resource).toEqual({ "Fn::GetAtt": [expect.stringMatching(/LogGroup$/), "Arn"] });
      expect(Properties).not.toHaveProperty("ManagedPolicyArns");
    }
  });

  it("has no resources of options that are off, and staging has the same ones", () => {
    const off = /Lambda::Version|Lambda::Alias|CodeDeploy|DomainName|SNS|Pipes|SQS|IAM::Policy/;

    expect(typesOf(prod).filter((type) => off.test(type))).toEqual([]);
    expect(inProd.HttpApi).not.toHaveProperty("CorsConfiguration");
    expect(typesOf(readTemplate("staging"))).toEqual(typesOf(prod));
  });
});

const options = propertiesOf(readTemplate("options"));

it("role, bucket and boundary are those of infra/aws/bootstrap.yml", () => {
  expect(readProvider("options")).toMatchObject({
    iam: { deploymentRole: "arn:aws:iam::123456789012:role/cloudformation" },
    deploymentBucket: "burgee-archives",
    deletionProtection: true,
  });
  expect(options).not.toHaveProperty("ServerlessDeploymentBucket");
  expect(readProvider("dev")).toMatchObject({ iam: {}, deletionProtection: false });
});

it("the boundary is that of infra/aws/bootstrap.yml; reserved concurrency and CORS are those of the settings", () => {
  const bounded = { PermissionsBoundary: expect.stringContaining(":policy/boundary") };

  expect(options).toMatchObject({
    TagsLambdaFunction: { ReservedConcurrentExecutions: 20 },
    VariantsLambdaFunction: { ReservedConcurrentExecutions: 30 },
    ReadLambdaFunction: { ReservedConcurrentExecutions: 10 },
    TagsRole: bounded,
    VariantsRole: bounded,
    ReadRole: bounded,
    EventsRole: bounded,
  });
  expect(options.HttpApi.CorsConfiguration).toMatchObject({
    AllowOrigins: ["https://admin.example.com"],
    AllowHeaders: ["Authorization"],
    AllowMethods: expect.arrayContaining(["PUT", "PATCH", "POST", "OPTIONS"]),
  });
});

it("events are sent to the account's bus, by a role that can only read the stream", () => {
  const stream = { "Fn::GetAtt": ["Table", "StreamArn"] };
  const bus = { "Fn::Sub": expect.stringMatching(/:event-bus\/default$/) };
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
    { Action: "events:PutEvents", Resource: bus },
    { Action: "sqs:SendMessage", Resource: { "Fn::GetAtt": ["EventsNotSent", "Arn"] } },
  ]);
});

it.each([
  ["options", false],
  ["others", true],
])(
  "a custom domain serves the whole API; with %s the default address is turned off: %j",
  (name, isDisabled) => {
    const template = readTemplate(name);

    expect(propertiesOf(template)).toMatchObject({
      DomainMapping: { Stage: "$default" },
      HttpApi: isDisabled ? { DisableExecuteApiEndpoint: true } : {},
      Domain: {
        MutualTlsAuthentication: isDisabled
          ? { TruststoreUri: "s3://burgee-archives/truststore.pem" }
          : { Ref: "AWS::NoValue" },
      },
    });
    expect(template.Outputs.Url?.Value).toBe("https://flags.example.com");
    expect("DefaultUrl" in template.Outputs).toBe(!isDisabled);
  },
);

it("another table replaces the stack's own, which is kept; one deployment permits both, as old code still runs", () => {
  const template = readTemplate("others");
  const properties = propertiesOf(template);
  const restored = "burgee-prod-restored";

  expect(properties).toMatchObject({
    TagsLambdaFunction: { Environment: { Variables: { TABLE_NAME: restored } } },
    TableWriteThrottlesAlarm: { Dimensions: [{ Name: "TableName", Value: restored }] },
    IndexWriteThrottlesAlarm: { Dimensions: [{ Name: "TableName", Value: restored }, { Value: "lists" }] },
  });
  expect(template.Resources.Table?.DeletionPolicy).toBe("RetainExceptOnCreate");
  expect(template.Outputs).toMatchObject({
    Settings: { Value: JSON.stringify({ table: restored }) },
    TableName: { Value: restored },
    OwnTable: { Value: { Ref: "Table" } },
  });
  for (const { Policies } of [properties.TagsRole, properties.VariantsRole, properties.ReadRole]) {
    expect(Policies[0].PolicyDocument.Statement[0].Resource).toEqual([
      { "Fn::Sub": [expect.any(String), { Name: restored }] },
      { "Fn::Sub": expect.stringMatching(/:table\/burgee-prod-old$/) },
    ]);
  }
});
