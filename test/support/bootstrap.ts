/** Reads the policies of infra/aws/bootstrap.yml, with the values that CloudFormation would give them for prod. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Grant {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

interface Policy {
  Version: string;
  Statement: Grant[];
}

const account = "111122223333";
const bucket = `burgee-prod-${account}-us-east-1`;
const arns: Record<string, string> = {
  Bucket: `arn:aws:s3:::${bucket}`,
  StackRole: `arn:aws:iam::${account}:role/people-burgee-prod-cloudformation`,
};
export const oidcProvider = `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com`;
const values: Record<string, string> = {
  "AWS::Partition": "aws",
  "AWS::AccountId": account,
  "AWS::Region": "us-east-1",
  "AWS::URLSuffix": "amazonaws.com",
  Stage: "prod",
  Repository: "OWNER/REPO",
  Bucket: bucket,
  Boundary: `arn:aws:iam::${account}:policy/people-burgee-prod-boundary`,
};

const { Parameters, Resources, Outputs } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8"));

/** The version of infra/aws/bootstrap.yml. */
export const bootstrapVersion: string = Outputs.Version.Value;

const lookUp = (name: string): string =>
  (name.endsWith(".Arn") ? arns[name.slice(0, -4)] : values[name]) ?? name;

/** Computes the functions of CloudFormation in a value. */
function compute(_: string, value: unknown): unknown {
  const { Ref, "Fn::Sub": text, "Fn::GetAtt": path } = Object(value);
  if (Ref) return lookUp(Ref);
  if (path) return lookUp(path.join("."));
  return text ? text.replaceAll(/\$\{(.+?)\}/g, (_: string, name: string) => lookUp(name)) : value;
}

const propertiesOf = (name: string) => JSON.parse(JSON.stringify(Resources[name].Properties), compute);

/** The policy that this resource is; of a role the one that it has itself. */
export function policyOf(name: string): Policy {
  const { PolicyDocument, Policies } = propertiesOf(name);
  return PolicyDocument ?? Policies[0].PolicyDocument;
}

/** Whether CloudFormation accepts the value of a parameter. */
export const accepts = (parameter: string, value: string): boolean =>
  new RegExp(`^(?:${Parameters[parameter].AllowedPattern})$`).test(value);

/** The policy that says who may assume this role, of a pipeline of the repository. */
export function trustOf(name: string, repository = "OWNER/REPO"): Policy {
  values.Repository = repository;
  return propertiesOf(name).AssumeRolePolicyDocument;
}

export const managedPolicies = Object.keys(Resources).filter(
  (name) => Resources[name].Type === "AWS::IAM::ManagedPolicy",
);
