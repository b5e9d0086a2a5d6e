/** Deliberate bugs. Each is applied to a copy of the sources and must be found. A text that its file lacks fails the build. */

/** @typedef {{ file: string, from: string, to: string }} Change */
/** @typedef {{ name: string, foundBy: string | string[], changes: Change[] }} Bug */

const writing = "lib/store/variant-store.ts";
const changing = "lib/features/change-environment.ts";
const changingAll = "lib/features/change-feature.ts";
const write = "const result = await session.write(() => updateOf(session.table, write, attributes));";
const keeping = "lib/features/changes.ts";
const undoing = "lib/features/plan-undo.ts";
const checking = "lib/features/checks.ts";

/** @type {readonly Bug[]} */
export const bugs = [
  bug("a change is not recognised by its id", "two patches of one environment", [
    keeping,
    "change.id === id ||",
    "false ||",
  ]),
  bug("no condition on the revision", "two patches of one environment", [
    writing,
    '"#revision = :before"',
    '"attribute_exists(#revision)"',
  ]),
  bug("the retry patches the stale variants", "two patches of one environment", [
    changing,
    "state = continueFrom(result.current, state, request);",
    "state = { ...continueFrom(result.current, state, request), variants: state.variants };",
  ]),
  bug(
    "permissions are checked after the first write",
    "without the permission in one environment",
    [changingAll, "    requirePermissions(missingPermissions(caller, target, states), target);\n", ""],
    [
      changingAll,
      "    requireSuccess(outcomes, states, stamp);\n    return outcomes;",
      "    requirePermissions(missingPermissions(caller, target, states), target);\n    return outcomes;",
    ],
  ),
  bug(
    "the list of changes is written after the variants",
    "two patches of two environments with idempotency keys",
    [
      writing,
      write,
      `const { changes, ...others } = attributes;
          const result = await session.write(() => updateOf(session.table, write, others as typeof attributes));
          if (result.isStored) await session.send(new UpdateCommand({
            TableName: session.table,
            Key: environmentKey(target.feature, before.environment),
            UpdateExpression: "SET changes = :changes",
            ExpressionAttributeValues: { ":changes": changes },
          }));`,
    ],
  ),
  bug("an unchanged environment counts as patched", "patches that leave an environment unchanged", [
    changing,
    'outcome: "unchanged" };',
    'outcome: "patched" };',
  ]),
  bug("if-match is checked once only", "a patch with if-match and a concurrent patch", [
    changing,
    "if (hasEtag) throw",
    "if (hasEtag && !before) throw",
  ]),
  bug("the life of the item is not in the condition", "a feature is deleted and created again", [
    writing,
    '[isAtRevision, isSameEnvironment].join(" AND ")',
    "isAtRevision",
  ]),
  bug(
    "a change that can be retried is dropped",
    "more requests with idempotency keys than the newest changes",
    [keeping, ", ...all.filter(isRetryable)]", "]"],
  ),
  bug(
    "an undo is dropped before the change that it undoes",
    "an undo that later changes push out of the list",
    [keeping, "kept.has(undoes) &&", "!kept.has(undoes) &&"],
  ),
  bug(
    "a key is refused after the first write",
    "more requests with idempotency keys than one environment remembers",
    [changingAll, "  requireRoomForKey(states, stamp);\n", ""],
    [changing, "import { refuseEarlierUse }", "import { refuseEarlierUse, requireRoomForKey }"],
    [changing, "  for (;;) {", "  requireRoomForKey([first], stamp);\n  for (;;) {"],
  ),
  bug(
    "a pause is trusted in place of the condition",
    "three patches of one environment",
    [
      changing,
      "(await order.pause(state))) state = continueFrom(await read(), state, request);",
      '(await order.pause(state))) state = { ...continueFrom(await read(), state, request), droppedUntil: "paused" };',
    ],
    [
      writing,
      'const isAtRevision = "#revision = :before";',
      'const isAtRevision = before.droppedUntil?.startsWith("paused") ? "attribute_exists(#revision)" : "#revision = :before";',
    ],
  ),
  bug(
    "a request continues in an environment that was created again",
    "a feature is created again while a caller pauses",
    [changing, "if (!isSame) throw new NotFoundError", "if (!current) throw new NotFoundError"],
  ),
  bug("a timeout is reported as a write that was not stored", "two patches of one environment", [
    "lib/store/failures.ts",
    "; it is not known whether the write was stored",
    "",
  ]),
  bug("a condition that fails on a retry counts as the write's own", "two patches of one environment", [
    writing,
    "return { written: false, current };",
    "return current && mayBeStored ? { written: true, stored: current } : { written: false, current };",
  ]),
  bug("a response has the etag of a later write", "two patches of one environment", [
    changing,
    "if (!after) return outcome;",
    'if (!after) return outcome.outcome === "patched" ? { ...outcome, ...plan(first) } : outcome;',
  ]),
  bug(
    "after a conflict the earlier write is not looked for",
    "two patches of two environments with idempotency keys",
    [
      writing,
      "const current = item && toState(item);",
      "const current = item && { ...toState(item), changes: [] };",
    ],
  ),
  bug(
    "a retried tag update sets no fence",
    "a tag is added by one caller, and removed and added by another",
    ["lib/store/tag-store.ts", 'setsFence ? ["fence = :sentAt"] : []', "[]"],
  ),
  bug("a feature is created without a fence", "a feature is created again while a tag update is late", [
    "infra/store/new-items.ts",
    "fence: Date.parse(stamp.at) - 1,",
    "fence: 0,",
  ]),
  bug(
    "a late copy restores the environment that it created",
    ["a feature is created again while a caller pauses", "--faults", "2"],
    [
      "infra/store/write-feature.ts",
      "const make = (): EnvironmentItem => ({ ...environmentItem(created), revision });",
      "const item = environmentItem(created); const make = () => ({ ...item, revision });",
    ],
  ),
  bug(
    "a dropped change counts as one that was never made",
    "an undo of a change that one environment has dropped",
    [keeping, "if (droppedUntil === undefined) return false;", 'if (droppedUntil !== "") return false;'],
  ),
  bug(
    "overlapping attempts are taken to have begun at the same time",
    "an undo of a change of overlapping attempts that one environment has dropped",
    [keeping, "> Date.parse(at) - limits.attemptSeconds * 1000;", ">= Date.parse(at);"],
  ),
  bug(
    "a retry is applied again where its change was dropped",
    "an undo of a change of overlapping attempts that one environment has dropped",
    [changingAll, "  refuseUncertainRetry(states, stamp);\n", ""],
  ),
  bug("an undo takes away later changes", "an undo and a concurrent patch", [
    undoing,
    "if (!isUndoable(changes, change))",
    "if (!isUndoable(changes, change) && changes.length > 99)",
  ]),
  bug("a retry of what was undone is not refused", "an undo and a retry of what it undoes", [
    checking,
    "const undo = earlier && undoneBy(changes, earlier);",
    "const undo = earlier && undoneBy([], earlier);",
  ]),
  bug(
    "an undo writes before all environments are known to allow it",
    "an undo of a change after which one environment was changed",
    [changingAll, "const planned = allOrNothing ?", "const planned = !stamp ?"],
  ),
  bug("a write keeps the change of the one before it", "two undos of one change", [
    keeping,
    "const all = [newest, ...changes];",
    "const all = [changes[0] ?? newest, ...changes.slice(1)];",
  ]),
  bug("a sandbox keeps a key for good", "a key is revoked", [
    "lib/access/authenticate.ts",
    "readAt < cached.readAt + seconds * 1000",
    "true",
  ]),
];

/**
 * @param {string} name
 * @param {string | string[]} foundBy The scenario, and further options.
 * @param {[file: string, from: string, to: string][]} changes
 * @returns {Bug}
 */
function bug(name, foundBy, ...changes) {
  return { name, foundBy, changes: changes.map(([file, from, to]) => ({ file, from, to })) };
}
