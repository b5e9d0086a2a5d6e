/**
 * A plugin of the framework, which retains every version of a function. If CloudFormation retained one whose release
 * it rolls back, the same code could not be released again: Lambda publishes no second version of it.
 */
export default class Versions {
  /** @param {Service} serverless */
  constructor(serverless) {
    this.hooks = {
      "before:package:finalize"() {
        const { Resources } = serverless.service.provider.compiledCloudFormationTemplate;
        for (const resource of Object.values(Resources)) {
          if (resource.Type === "AWS::Lambda::Version") resource.DeletionPolicy = "RetainExceptOnCreate";
        }
      },
    };
  }
}

/**
 * @typedef {{ Type: string, DeletionPolicy?: string }} Resource
 * @typedef {{ service: { provider: { compiledCloudFormationTemplate: { Resources: Record<string, Resource> } } } }} Service
 */
