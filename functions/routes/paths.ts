/** The paths that several routes share, and the types of their parameters. */

export const featuresPath = "/api/admin/projects/{projectId}/features";
export const featurePath = `${featuresPath}/{featureName}` as const;
export const environmentPath = `${featurePath}/environments/{environment}` as const;
export const allEnvironmentsVariantsPath = `${featurePath}/variants` as const;
export const environmentVariantsPath = `${environmentPath}/variants` as const;

export interface ProjectParameters {
  /** The id of the project. */
  projectId: string;
}

/** The OpenAPI document quotes the comments. */
export interface FeatureParameters extends ProjectParameters {
  /** The name of the feature; case-sensitive. */
  featureName: string;
  /** The name of the environment; case-sensitive. */
  environment?: string;
}
