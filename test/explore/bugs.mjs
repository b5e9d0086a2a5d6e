/** Deliberate bugs. Each is applied to a copy of the sources and must be found. A text that its file lacks fails the build. */

/** @typedef {{ file: string, from: string, to: string }} Change */
/** @typedef {{ name: string, foundBy: string | string[], changes: Change[] }} Bug */

const writing = "lib/store/write-variants.ts";
const changing = "lib/features/change-environment.ts";
const changingAll = "lib/features/change-feature.ts";
const write = "let result = await session.write(() => updateOf(session.table, write, attributes));";

/** @type {readonly Bug[]} */
export const bugs = [
  bug("no write ids", "two patches of one environment", [
    writing,
    "one.id === id && ",
    "one.id === newId() && ",
  ]),
  bug("no condition on the revision", "two patches of one environment", [
    writing,
    '"#revision = :before"',
    '"(#revision = :before OR attribute_exists(#revision))"',
  ]),
  bug("the retry patches the stale variants", "two patches of one environment", [
    changing,
    "before = requireRetryable(before, result.current, request);",
    "before = { ...requireRetryable(before, result.current, request), variants: before.variants };",
  ]),
  bug(
    "permissions are checked after the first write",
    "without the permission in one environment",
    [
      changingAll,
      `  requirePermissionInEach(caller, permission, target.project, planned.permissionNeededIn);
`,
      "",
    ],
    [
      changingAll,
      "done.push(changed);",
      `done.push(changed);
          requirePermissionInEach(request.caller, request.permission, request.target.project, states);`,
    ],
  ),
  bug(
    "the idempotency record is written after the variants",
    "two patches of two environments with idempotency keys",
    [
      writing,
      write,
      `const { writes, ...others } = attributes;
          let result = await session.write(() => updateOf(session.table, write, { ...others, writes: before.writes.map(toStoredWrite) }));
          if (result.isStored) await session.send(new UpdateCommand({
            TableName: session.table,
            Key: environmentKey(write.feature, before.environment),
            UpdateExpression: "SET writes = :writes",
            ExpressionAttributeValues: { ":writes": writes },
          }));`,
    ],
  ),
  bug("an unchanged environment counts as patched", "patches that leave an environment unchanged", [
    changing,
    'if (planned.outcome === "unchanged") return { ...planned, etag };',
    'if (planned.outcome === "unchanged") return { ...planned, outcome: "patched", etag };',
  ]),
  bug("only the last write is remembered", "a write id that later writes push out of the list", [
    "lib/store/retry-list.ts",
    "slice(-limits.rememberedWrites)",
    "slice(-1)",
  ]),
  bug("if-match is checked once only", "a patch with if-match and a concurrent patch", [
    changing,
    "if (hasEtag(request)) {",
    "if (Math.random() > 1) {",
  ]),
  bug("the life of the item is not in the condition", "a feature is deleted and created again", [
    writing,
    '[isAtRevision, isSameEnvironment].join(" AND ")',
    '[isAtRevision, "(uid = :uid OR attribute_exists(uid))"].join(" AND ")',
  ]),
  bug(
    "an idempotency record is dropped before it is stored elsewhere",
    "an idempotency record that later writes push out of the list",
    [writing, "if (moving.length > 0) await moveRecords(session, before.uid, moving);", ""],
    [
      writing,
      write,
      `${write}
          if (result.isStored && moving.length > 0) await moveRecords(session, before.uid, moving);`,
    ],
  ),
  bug(
    "a turn is trusted in place of the condition",
    "two callers take turns after one that was killed",
    [writing, "{ feature, before }: VariantsWrite,", "{ feature, before, ticket }: VariantsWrite,"],
    [
      writing,
      'const isAtRevision = "#revision = :before";',
      'const isAtRevision = ticket === undefined ? "#revision = :before" : "(#revision = :before OR attribute_exists(#revision))";',
    ],
  ),
  bug(
    "a queue that stands still is not passed over",
    ["two callers take turns after one that was killed", "--faults", "0"],
    ["lib/features/turns.ts", "movedAt > stalledMs", "movedAt > 1e6"],
  ),
  bug("a timeout is reported as a write that was not stored", "two patches of one environment", [
    "lib/store/failures.ts",
    "; it is not known whether the write was stored",
    "",
  ]),
  bug("a condition that fails on a retry counts as the write's own", "two patches of one environment", [
    writing,
    "current?.writes.some((one) => one.id === id && one.revision === revision)",
    "current && mayBeStored",
  ]),
  bug("a response has the etag of a later write", "two patches of one environment", [
    writing,
    "one.revision === revision)) return written;",
    "one.revision === revision)) return { written: true, stored: current };",
  ]),
  bug(
    "after a conflict the earlier write is not looked for",
    "two patches of two environments with idempotency keys",
    [
      writing,
      "toStates(session, feature, item ? [item] : [], idempotency)",
      "toStates(session, feature, item ? [item] : [], undefined)",
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
    ["a feature is created again while a caller waits for its turn", "--faults", "2"],
    [
      "infra/store/write-feature.ts",
      "const make = (): EnvironmentItem => ({ ...environmentItem(created), revision });",
      "const item = environmentItem(created); const make = () => ({ ...item, revision });",
    ],
  ),
  bug(
    "a dropped change counts as one that was never made",
    "an undo of a change that one environment has dropped",
    [
      "lib/features/undo-change.ts",
      "if (change || droppedAt === undefined || droppedAt < at) return;",
      "if (change || droppedAt === undefined || droppedAt >= at) return;",
    ],
  ),
  bug("an undo takes away later changes", "an undo and a concurrent patch", [
    "lib/features/undo-change.ts",
    "if (!isUndoable(changes, change))",
    "if (!isUndoable(changes, change) && changes.length > 99)",
  ]),
  bug("an undo does not mark the record of its change", "an undo and a retry of what it undoes", [
    writing,
    "undoes ? markUndone(before.writes, undoes, stamp.id) : before.writes",
    "before.writes",
  ]),
  bug(
    "an undo writes before all environments are known to allow it",
    "an undo of a change after which one environment was changed",
    [
      "lib/features/change-feature.ts",
      "if (plansAllFirst) requirePlanInEach(plan, states);\n    const turns",
      "const turns",
    ],
  ),
  bug("a write keeps the change of the one before it", "two undos of one change", [
    writing,
    "changed: { ...change, request, feature },",
    "changed: { ...change, revision: before.revision, request, feature },",
  ]),
  bug("a sandbox keeps a key for good", "a key is revoked", [
    "lib/access/authenticate.ts",
    "entry && now() < entry.until ? entry.key : undefined",
    "entry?.key",
  ]),
  bug(
    "a record is combined with variants that are older",
    "an idempotency record that moves while a retry reads it",
    [
      "lib/store/read-feature.ts",
      "if (!earlierWrite || earlierWrite.revision <= state.revision)",
      "if (!earlierWrite || earlierWrite.revision > 0)",
    ],
  ),
  bug(
    "environments of another project are read",
    "a feature is created again in another project, and one environment is patched",
    [
      "lib/store/read-feature.ts",
      "if (!isOneFeature) return undefined;",
      'if (!isOneFeature && name === "") return undefined;',
    ],
  ),
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
