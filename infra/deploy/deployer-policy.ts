/** Makes the deployer's IAM policy: the framework's own calls, and CloudFormation's for each type of resource. */

interface Grant {
  /** The resource types that CloudFormation needs it for; empty if every deployment needs it. */
  for: string;
  actions: string;
  resources: string;
  condition?: object;
}

const tagging = "TagResource UntagResource ListTagsForResource";
const passedTo = ["lambda", "codedeploy", "pipes"].map((service) => `${service}.amazonaws.com`);

/** Types are without "AWS::"; actions without a service have that of the action before them. */
const grants: readonly Grant[] = [
  {
    for: "",
    actions: `cloudformation:CreateStack UpdateStack DeleteStack ContinueUpdateRollback RollbackStack *ChangeSet
      DescribeStack* ListStackResources GetTemplate SetStackPolicy UpdateTerminationProtection TagResource UntagResource`,
    resources: "arn:aws:cloudformation:*:*:stack/burgee-*",
  },
  { for: "", actions: "cloudformation:ValidateTemplate", resources: "*" },
  {
    for: "S3::Bucket S3::BucketPolicy",
    actions: `s3:CreateBucket DeleteBucket ListBucket ListBucketVersions GetBucket* PutBucketPolicy DeleteBucketPolicy
      PutBucketPublicAccessBlock *BucketTagging PutEncryptionConfiguration Get*Configuration PutObject GetObject
      DeleteObject DeleteObjectVersion ${tagging}`,
    resources: "arn:aws:s3:::burgee-*",
  },
  {
    for: "Lambda::Function Lambda::Version Lambda::Alias Lambda::Permission",
    actions: `lambda:CreateFunction UpdateFunction* DeleteFunction PublishVersion *Alias PutFunctionConcurrency
      DeleteFunctionConcurrency AddPermission RemovePermission Get* ListVersionsByFunction ListTags TagResource
      UntagResource`,
    resources: "arn:aws:lambda:*:*:function:burgee-*",
  },
  {
    for: "IAM::Role IAM::Policy",
    actions: `iam:CreateRole GetRole UpdateRole DeleteRole UpdateAssumeRolePolicy PutRolePolicy GetRolePolicy
      DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole ListRoleTags`,
    resources: "arn:aws:iam::*:role/burgee-*",
  },
  {
    for: "Lambda::Function CodeDeploy::DeploymentGroup Pipes::Pipe",
    actions: "iam:PassRole",
    resources: "arn:aws:iam::*:role/burgee-*",
    condition: { StringEquals: { "iam:PassedToService": passedTo } },
  },
  {
    for: "DynamoDB::Table ApiGatewayV2::Stage",
    actions: "iam:CreateServiceLinkedRole",
    resources: `arn:aws:iam::*:role/aws-service-role/contributorinsights.dynamodb.amazonaws.com/*
      arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*`,
  },
  {
    for: "DynamoDB::Table",
    actions: `dynamodb:CreateTable UpdateTable DeleteTable Describe* UpdateTimeToLive UpdateContinuousBackups
      UpdateContributorInsights *ResourcePolicy TagResource UntagResource ListTagsOfResource`,
    resources: "arn:aws:dynamodb:*:*:table/burgee-*",
  },
  {
    for: `ApiGatewayV2::Api ApiGatewayV2::Stage ApiGatewayV2::Route ApiGatewayV2::Integration
      ApiGatewayV2::DomainName ApiGatewayV2::ApiMapping`,
    actions: "apigateway:GET POST PUT PATCH DELETE TagResource UntagResource",
    resources: `arn:aws:apigateway:*::/apis* arn:aws:apigateway:*::/domainnames* arn:aws:apigateway:*::/tags/*`,
  },
  {
    for: "Logs::LogGroup Logs::MetricFilter",
    actions: `logs:CreateLogGroup DeleteLogGroup PutRetentionPolicy DeleteRetentionPolicy PutMetricFilter
      DeleteMetricFilter DescribeMetricFilters GetDataProtectionPolicy ${tagging}`,
    resources: `arn:aws:logs:*:*:log-group:/aws/lambda/burgee-*
      arn:aws:logs:*:*:log-group:/aws/vendedlogs/http-api/burgee-*`,
  },
  // A policy cannot name a resource for any of these.
  {
    for: "Logs::LogGroup Logs::QueryDefinition ApiGatewayV2::Stage",
    actions: `logs:DescribeLogGroups DescribeIndexPolicies PutQueryDefinition DeleteQueryDefinition
      DescribeQueryDefinitions CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries
      PutResourcePolicy DescribeResourcePolicies`,
    resources: "*",
  },
  {
    for: "CloudWatch::Alarm CloudWatch::Dashboard",
    actions: `cloudwatch:PutMetricAlarm DeleteAlarms DescribeAlarms PutDashboard GetDashboard DeleteDashboards ${tagging}`,
    resources: "arn:aws:cloudwatch:*:*:alarm:burgee-* arn:aws:cloudwatch::*:dashboard/burgee-*",
  },
  {
    for: "CodeDeploy::Application CodeDeploy::DeploymentGroup Lambda::Alias",
    actions: `codedeploy:CreateApplication GetApplication UpdateApplication DeleteApplication CreateDeploymentGroup
      GetDeploymentGroup UpdateDeploymentGroup DeleteDeploymentGroup CreateDeployment GetDeployment ListDeployments
      StopDeployment GetDeploymentConfig RegisterApplicationRevision GetApplicationRevision ${tagging}`,
    resources: `arn:aws:codedeploy:*:*:application:burgee-* arn:aws:codedeploy:*:*:deploymentgroup:burgee-*
      arn:aws:codedeploy:*:*:deploymentconfig:*`,
  },
  {
    for: "SNS::Topic",
    actions: `sns:CreateTopic DeleteTopic GetTopicAttributes SetTopicAttributes Subscribe Unsubscribe
      ListSubscriptionsByTopic GetDataProtectionPolicy ${tagging}`,
    resources: "arn:aws:sns:*:*:burgee-*",
  },
  {
    for: "SQS::Queue",
    actions: `sqs:CreateQueue DeleteQueue GetQueueAttributes SetQueueAttributes GetQueueUrl TagQueue UntagQueue
      ListQueueTags`,
    resources: "arn:aws:sqs:*:*:burgee-*",
  },
  {
    for: "Pipes::Pipe",
    actions: `pipes:CreatePipe DescribePipe UpdatePipe DeletePipe StartPipe StopPipe ${tagging}`,
    resources: "arn:aws:pipes:*:*:pipe/*",
  },
];

/** For a template with resources of these types; throws for an unknown type. */
export function deployerPolicy(types: ReadonlySet<string>) {
  const known = new Set(grants.flatMap(typesOf));
  const unknown = [...types].filter((type) => !known.has(type));
  if (unknown.length > 0) throw new Error(`no grants are listed for ${unknown.join(", ")}: add them here`);
  const needed = grants.filter((grant) => grant.for === "" || typesOf(grant).some((type) => types.has(type)));
  return { Version: "2012-10-17", Statement: needed.map(toStatement) };
}

function typesOf(grant: Grant): string[] {
  return words(grant.for).map((type) => `AWS::${type}`);
}

function toStatement({ actions, resources, condition }: Grant) {
  const [service, names = ""] = actions.split(":");
  return {
    Effect: "Allow",
    Action: words(names).map((name) => `${service}:${name}`),
    Resource: words(resources),
    ...(condition && { Condition: condition }),
  };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
