/**
 * The index of the table. It lists projects; the features of a project; what these have in one environment; API keys: each
 * sorted by name. A creation gives an item the attributes that put it into the index (`IndexAttributes`). No change of
 * a feature touches them.
 */

/** The name of the index in infra/aws/core.yml. */
export const listIndex = "lists";

export const projectList = "PROJECTS";
export const keyList = "KEYS";
export const featureList = (project: string): string => `FEATURES#${project}`;
/** The length of the first name says where it ends: a name may contain any character. */
export const environmentList = (project: string, environment: string): string =>
  `ENVIRONMENTS#${project.length}#${project}#${environment}`;
