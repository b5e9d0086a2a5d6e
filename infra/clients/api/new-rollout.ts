/** Makes a strategy, without its id, that gives the feature to this percentage of users by the default stickiness. */
export function newRollout(feature: string, rollout: string) {
  return { name: "flexibleRollout", parameters: { rollout, stickiness: "default", groupId: feature } };
}
