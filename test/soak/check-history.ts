/** Checks that a history has no lost, duplicate or reordered changes. */
import { isAcknowledged, type Sent, type Standing } from "./history.ts";

/** Returns the issues as messages. */
export function checkHistory(sent: readonly Sent[], standings: readonly Standing[]): string[] {
  return standings.flatMap((standing) => {
    const ofFeature = sent.filter(({ feature }) => feature === standing.feature);
    const patches = ofFeature.filter(({ kind }) => kind === "patch");
    return [
      ...ofFeature.flatMap(checkStatuses),
      ...Object.keys(standing.environments).flatMap((environment) =>
        checkEnvironment(environment, patches, standing).map(
          (issue) => `${standing.feature}, ${environment}: ${issue}`,
        ),
      ),
      ...checkTags(ofFeature, standing).map((issue) => `${standing.feature}: ${issue}`),
    ];
  });
}

/** Every request is valid and permitted, unless its key was revoked. */
const expectedStatuses = [200, 201, 409, 412, 503];

function checkStatuses({ id, isHarmless, attempts }: Sent): string[] {
  const expected = isHarmless ? [401, ...expectedStatuses] : expectedStatuses;
  const odd = attempts.map(({ status }) => status).filter((status) => !expected.includes(status));
  return [...new Set(odd)].map((status) => `${id} received ${status}`);
}

function checkEnvironment(environment: string, patches: readonly Sent[], standing: Standing): string[] {
  const { ids = [], revision = 0, weights = [] } = standing.environments[environment] ?? {};
  const known = new Set(patches.map(({ id }) => id));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return [
    ...patches.flatMap((patch) => checkPatch(patch, environment, ids)),
    ...ids.filter((id) => !known.has(id)).map((id) => `${id} was never sent`),
    ...(revision === 1 + ids.length ? [] : [`revision ${revision} after ${ids.length} writes`]),
    ...(sum === 1000 ? [] : [`the weights sum to ${sum}`]),
    ...checkOrder(environment, patches, ids),
  ];
}

function checkPatch(
  { id, environments, isHarmless, attempts }: Sent,
  environment: string,
  ids: readonly string[],
): string[] {
  const times = ids.filter((other) => other === id).length;
  const isReportedIn = attempts.some(({ patched }) => patched.includes(environment));
  const isRefused = attempts.every(
    ({ status, patched }) => status < 500 && status >= 400 && patched.length === 0,
  );
  if (times > 1) return [`${id} is there ${times} times`];
  if (times === 1 && isHarmless) return [`${id} is there, and should have left nothing`];
  if (times === 1 && !environments.includes(environment)) return [`${id} is there, and was not for it`];
  if (times === 1 && isRefused && environments.length === 1) return [`${id} is there, and was refused`];
  if (times === 0 && isReportedIn && !isHarmless) return [`${id} was acknowledged, and is lost`];
  return [];
}

/** A patch that was sent after another was acknowledged must come after it. */
function checkOrder(environment: string, patches: readonly Sent[], ids: readonly string[]): string[] {
  const sentAt = new Map(
    patches.map(({ id, attempts }) => [id, Math.min(...attempts.map((each) => each.sentAt))]),
  );
  const doneAt = new Map(patches.map((patch) => [patch.id, acknowledgedAt(patch, environment)]));
  let latest = { id: "", sentAt: Number.NEGATIVE_INFINITY };
  return ids.flatMap((id) => {
    const isLate = (doneAt.get(id) ?? Number.POSITIVE_INFINITY) < latest.sentAt;
    const issue = isLate ? [`${id} comes after ${latest.id}, which was sent after its response`] : [];
    const at = sentAt.get(id) ?? Number.NEGATIVE_INFINITY;
    if (at > latest.sentAt) latest = { id, sentAt: at };
    return issue;
  });
}

function acknowledgedAt({ attempts }: Sent, environment: string): number {
  const times = attempts
    .filter(({ patched }) => patched.includes(environment))
    .map(({ answeredAt }) => answeredAt);
  return Math.min(...times);
}

/** Each tag is added by one request, and removed by at most one, which is sent after the response to the first. */
function checkTags(sent: readonly Sent[], { tags }: Standing): string[] {
  const additions = sent.filter(({ kind }) => kind === "add tag");
  const known = new Set(additions.map(({ tag }) => tag));
  return [
    ...tags.filter((tag) => !known.has(tag)).map((tag) => `tag ${tag} was never sent`),
    ...additions.flatMap((addition) => {
      const { tag = "", isHarmless } = addition;
      const removals = sent.filter(
        (other) => other.kind === "remove tag" && other.tag === tag && !other.isHarmless,
      );
      const isThere = tags.includes(tag);
      const isAdded = !isHarmless && addition.attempts.some(isAcknowledged);
      const isRemoved = removals.some(({ attempts }) => attempts.some(isAcknowledged));
      if (isThere && isHarmless) return [`tag ${tag} is there, and should have left nothing`];
      // Without an acknowledgement it may be applied at any time, after the removal too.
      const isUncertain = addition.attempts.every(({ status }) => status >= 500);
      if (isThere && isRemoved && !isUncertain)
        return [`tag ${tag} is there, and its removal was acknowledged`];
      if (!isThere && isAdded && removals.length === 0) return [`tag ${tag} was acknowledged, and is lost`];
      return [];
    }),
  ];
}
