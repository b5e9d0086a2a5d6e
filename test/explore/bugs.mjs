/** Deliberate bugs. Each is applied to a copy of the sources and must be found. A text that its file lacks fails the build. */

/** @typedef {{ file: string, from: string, to: string }} Edit */
/** @typedef {{ name: string, foundBy: string | string[], edits: Edit[], carried: string }} Bug */

const updateItem = "lib/store/update-item.ts";
const writeEnvironments = "lib/features/change/write-environments.ts";
const afterConflict = "lib/features/conflicts/after-conflict.ts";
const changeFeature = "lib/features/change/change-feature.ts";
const planChange = "lib/features/change/plan-change.ts";
const nextState = "lib/features/change/next-state.ts";
const top = "lib/features/history/top.ts";
const lookUp = "lib/features/history/look-up.ts";
const readChanges = "lib/store/read-changes.ts";
const prepareWrites = "lib/store/prepare-writes.ts";
const planUndo = "lib/features/history/plan-undo.ts";
const updateTags = "lib/features/tags/update-tags.ts";
const createFeature = "lib/store/create-feature.ts";
const storedContent = "lib/store/items/stored-content.ts";
const deleteFeature = "lib/store/delete-and-restore.ts";
const leftovers = "lib/store/leftovers.ts";
// Without it a write has only what its change touched, so that it overwrites nothing else.
/** @type {[file: string, from: string, to: string]} */
const sendsAll = [storedContent, ".filter(([name]) => name in old)", ""];
const beforeValue = '      ":before": before.revision,\n';
const authorising = "requirePermissions(caller, target.project, requiredPermissions(request, environments));";
const plansNext = "const outcome = planEnvironment(request, environment);";
const preparesAll = "await store.prepareWrites(request.target, upToFirstFailure);";
const preparesNext = "await store.prepareWrite(target, outcome);";

/** @type {readonly Bug[]} */
export const bugs = [
  bug("a change is not recognised by its id", "two patches of one environment", [
    lookUp,
    "change.id === id);",
    'change.id === id + "?");',
  ]),
  bug(
    "no condition on the revision",
    "two patches of one environment",
    [updateItem, '"#revision = :before"', '"attribute_exists(#revision)"'],
    [updateItem, beforeValue, ""],
  ),
  bug(
    "tags are written over another update",
    "tags",
    [updateItem, '"#revision = :before"', '"attribute_exists(#revision)"'],
    [updateItem, beforeValue, ""],
  ),
  bug("an error after a write lacks the id of the change", "two patches of two environments", [
    changeFeature,
    "throw hasOwnChange || error.mayBeStored ?",
    "throw error.mayBeStored ?",
  ]),
  bug("the retry patches the stale variants", "two patches of one environment", [
    writeEnvironments,
    plansNext,
    "const outcome = planEnvironment(request, { ...environment, state: { ...environment.state, variants: before.variants } });",
  ]),
  bug(
    "permissions are checked after the first write",
    "without the permission in one environment",
    [changeFeature, `    ${authorising}\n`, ""],
    [changeFeature, "    const after = outcomes.map(", `    ${authorising}\n    const after = outcomes.map(`],
  ),
  bug("a dropped change does not become an item", "two patches of one environment", [
    writeEnvironments,
    preparesAll,
    "(upToFirstFailure as PreparedOutcome[]);",
  ]),
  bug(
    "a dropped change becomes an item after the write",
    "two patches of one environment",
    [writeEnvironments, preparesAll, "(upToFirstFailure as PreparedOutcome[]);"],
    [writeEnvironments, preparesNext, "outcome;"],
    [
      writeEnvironments,
      "if (result.isStored) return",
      "if (result.isStored) await store.prepareWrite(request.target, outcome);\n      if (result.isStored) return",
    ],
  ),
  bug("an undone change gets no mark", "an undo that later changes push out of the newest", [
    prepareWrites,
    "if (!undoes) return [item];",
    "if (item) return [item];",
  ]),
  bug(
    "only the first of several environments has its dropped changes stored as items",
    "two patches of two environments",
    [prepareWrites, "...unprepared.flatMap(({ before })", "...unprepared.slice(0, 1).flatMap(({ before })"],
  ),
  bug("a trip undoes what is not under its guard", "a trip, and a later change under another guard", [
    top,
    "top?.guard?.name === guardName &&",
    "top?.guard !== undefined &&",
  ]),
  bug(
    "a trip goes past a later change",
    "a trip and a concurrent patch without a guard",
    [
      planUndo,
      "if (!isUndoableHere(change, state)) {",
      "if (trippedGuardName === undefined && !isUndoableHere(change, state)) {",
    ],
    [
      planUndo,
      "if (trippedGuardName !== undefined && !isUnderGuard(state.top, trippedGuardName)) return content;",
      "",
    ],
  ),
  bug("another trip undoes an older change", "two trips of two changes", [
    nextState,
    "topAfterUndo(state.top, undoneChange.oldTop, trippedGuardName)",
    "undoneChange.oldTop",
  ]),
  bug("a trip forgets the time", "a trip at the end of the time", [
    top,
    " && Date.now() < Date.parse(top.guard.until)",
    "",
  ]),
  bug("a trip does not find what is under its guard", "two trips of two changes", [
    prepareWrites,
    "...unprepared.flatMap(({ after }) => toGuardedItems(target, after)),",
    "",
  ]),
  bug(
    "who moves is compared with the limit in the state that was read first only",
    "a patch that may move no user, and a concurrent switch",
    [
      writeEnvironments,
      plansNext,
      "const outcome = planEnvironment({ ...request, mostMoves: undefined }, environment);",
    ],
  ),
  bug("a dropped change does not become an item after a conflict", "three patches of one environment", [
    writeEnvironments,
    preparesNext,
    "outcome;",
  ]),
  bug("a change becomes an item before it is made", "two patches of one environment", [
    prepareWrites,
    "({ before }) => droppedItems(target.feature, before)",
    "({ after }) => droppedItems(target.feature, after)",
  ]),
  bug(
    "an earlier attempt is looked for before the environments are read",
    [
      "a request with an idempotency key, and more changes than an environment has the ids of",
      "--faults",
      "1",
    ],
    [
      changeFeature,
      "  const states = await reader.readEnvironments(target);\n",
      "  const early = await reader.readChangeItems(stamp.id);\n  const states = await reader.readEnvironments(target);\n",
    ],
    [
      changeFeature,
      "await lookUpChangesOrRefuse(reader, states, request)",
      "await lookUpChangesOrRefuse({ ...reader, readChangeItems: async () => early }, states, request)",
    ],
  ),
  bug("an unchanged environment counts as patched", "patches that leave an environment unchanged", [
    planChange,
    'return outcomeAsFound(state, "unchanged", { hint, moves });',
    'return outcomeAsFound(state, "written", { hint });',
  ]),
  bug("if-match is checked once only", "a patch with if-match and a concurrent patch", [
    writeEnvironments,
    "if (listsEtags(preconditions) && !isSameRevision) return",
    "if (listsEtags(preconditions) && !environment) return",
  ]),
  bug(
    "the life of the item is not in the condition",
    "a feature is deleted and created again",
    [updateItem, '[revisionIsUnchanged, uidIsUnchanged].join(" AND ")', "revisionIsUnchanged"],
    [updateItem, '      ":uid": before.uid,\n', ""],
  ),
  bug(
    "only the last change is looked at for an earlier attempt",
    "a request with an idempotency key, and more changes than an environment has the ids of",
    [lookUp, "await reader.readChangeItems(id);", "new Map<string, ChangeWithUndo>();"],
  ),
  bug(
    "a pause is trusted in place of the condition",
    "three patches of one environment",
    [
      writeEnvironments,
      plansNext,
      "const outcome = planEnvironment(request, { ...environment, state: { ...environment.state, isPaused: true } });",
    ],
    [
      updateItem,
      'const revisionIsUnchanged = "#revision = :before";',
      'const revisionIsUnchanged = before.isPaused ? "attribute_exists(#revision)" : "#revision = :before";',
    ],
    [updateItem, beforeValue, '      ...(before.isPaused ? {} : { ":before": before.revision }),\n'],
  ),
  bug(
    "a request continues in an environment that was created again",
    "a feature is created again while a caller pauses",
    [afterConflict, "return state?.uid === uid ? state : undefined;", "return state && { ...state, uid };"],
  ),
  bug("a timeout is reported as a write that was not stored", "two patches of one environment", [
    "lib/contract/errors.ts",
    'unavailable.with({ message, code: "outcome-unknown" })',
    "unavailable.with({ message })",
  ]),
  bug("a condition that fails on a retry counts as the write's own", "two patches of one environment", [
    updateItem,
    "return { isStored: false, mayBeStored,",
    "return mayBeStored ? { isStored: true } : { isStored: false, mayBeStored,",
  ]),
  bug("an outcome is unknown after a lost response and another change", "two patches of one environment", [
    afterConflict,
    "if (!stored) throw",
    "if (!stored || (conflict.mayBeStored && stored.revision !== before.revision + 1)) throw",
  ]),
  bug("a response has the etag of a later write", "two patches of one environment", [
    writeEnvironments,
    "return outcomeOfOwnChange(request, next.write, next.state, outcome);",
    "return outcomeOfOwnChange(request, next.write, { ...next.state, variants: planEnvironment(request, { state: before }).after.variants }, outcome);",
  ]),
  bug("after a conflict the earlier write is not looked for", "two patches of one environment", [
    afterConflict,
    "const write = await findOwnWrite(before, stored);",
    "const write: Write | undefined = undefined;",
  ]),
  bug("a write that a proxy repeats is not looked for", "two patches of one environment", [
    afterConflict,
    "const write = await findOwnWrite(before, stored);",
    "const write = conflict.mayBeStored ? await findOwnWrite(before, stored) : undefined;",
  ]),
  bug(
    "a tag update is made again after a lost response",
    "a tag is added by one caller, and removed and added by another",
    [updateTags, "if (ids.includes(id)) return true;", ""],
  ),
  bug("a tag update is looked for in its feature's last update only", "tags", [
    updateTags,
    "[stored.lastWrite.id, ...stored.earlierWriteIds]",
    "[stored.lastWrite.id, before.lastWrite.id]",
  ]),
  bug(
    "a tag update counts as not made, though more followed than are kept",
    "a tag update that more follow than the feature keeps the ids of",
    [updateTags, "stored.revision - before.revision <= ids.length", "ids.length > 0"],
  ),
  bug(
    "a tag update goes on with a feature that was created again",
    "a feature is created again while a tag update is late",
    [
      afterConflict,
      "return state?.uid === uid ? state : undefined;",
      "return state && uid ? state : undefined;",
    ],
  ),
  bug("after a conflict a tag update does not compare its ETag again", "tags with if-match", [
    updateTags,
    "requirePreconditions(preconditions,",
    "if (before.earlierWriteIds.length === 0) requirePreconditions(preconditions,",
  ]),
  bug(
    "an operator's write drops the ids of the tag updates",
    "tags, and an operator applies a state with others",
    [createFeature, "revision: before.revision + 1, earlierWriteIds }", "revision: before.revision + 1 }"],
  ),
  bug(
    "a late copy restores the environment that it created",
    ["a feature is created again, and one environment is patched", "--faults", "2"],
    [
      createFeature,
      "await replaceItem(session, leftover, make);",
      "const item = make(); await replaceItem(session, leftover, () => item);",
    ],
  ),
  bug(
    "an undo restores where the change has not expired, and leaves the others",
    "an undo of a change of overlapping attempts, which expires in one environment first",
    [planUndo, "if (isTooOld(change)) throw tooOldToUndo(change);", "if (isTooOld(change)) return content;"],
  ),
  bug("an undo ignores the top, and takes away later changes", "an undo and a concurrent patch", [
    planUndo,
    "if (!isUndoableHere(change, state)) {",
    "if (change.undoes) {",
  ]),
  bug("a switch overwrites the variants of a concurrent patch", "a switch and a concurrent patch", sendsAll, [
    writeEnvironments,
    plansNext,
    'const again = request.edit.kind === "switch" ? { ...environment.state, variants: before.variants } : environment.state; const outcome = planEnvironment(request, { ...environment, state: again });',
  ]),
  bug("a switch is lost under a concurrent patch", "a switch and a concurrent patch", sendsAll, [
    writeEnvironments,
    plansNext,
    "const outcome = planEnvironment(request, { ...environment, state: { ...environment.state, enabled: before.enabled } });",
  ]),
  bug(
    "a patch of strategies overwrites the variants of a concurrent patch",
    "a patch of strategies and a concurrent patch of variants",
    sendsAll,
    [
      writeEnvironments,
      plansNext,
      'const again = request.edit.kind === "patch" && request.edit.root === "environment" ? { ...environment.state, variants: before.variants } : environment.state; const outcome = planEnvironment(request, { ...environment, state: again });',
    ],
  ),
  bug(
    "a switch overwrites the strategies that it read",
    "an undo of a patch of strategies and a concurrent switch",
    sendsAll,
    [
      writeEnvironments,
      plansNext,
      'const again = request.edit.kind === "switch" ? { ...environment.state, strategies: before.strategies } : environment.state; const outcome = planEnvironment(request, { ...environment, state: again });',
    ],
  ),
  bug("a creation is seen half", "a creation of a feature, and a read of it", [
    createFeature,
    "const reservation = await reserveName(session, name, stored.reservation, stamp);",
    "const reservation = await reserveName(session, name, stored.reservation, stamp); await replaceItem(session, reservation, () => featureItem({ name, project, environments, tags: [] }, stamp));",
  ]),
  bug(
    "a creation goes on with the reservation of another one",
    "two creations of one feature",
    [createFeature, "requireNotReserved(before, id);", ""],
    [createFeature, "if (isOwn && isRecent(before))", "if (before && isRecent(before))"],
  ),
  bug(
    "a restoration takes back a deletion that is the last no more",
    "a feature is deleted, restored, switched and deleted, and another restoration of it",
    [createFeature, "await requireCurrent?.();", ""],
  ),
  bug(
    "a creation keeps what it has put for an earlier reservation",
    ["two creations of one feature", "--preemptions", "2"],
    [
      createFeature,
      "if (existing?.reservation === reservation.uid)",
      "if (existing?.created.id === stamp.id)",
    ],
  ),
  bug(
    "a creation whose feature cannot be read is an error that wrote nothing",
    "a creation of a feature, and a read of it",
    ["functions/routes/features.ts", 'message, code: "applied", writeId: id', "message"],
  ),
  bug(
    "a put that a proxy repeats counts as refused where it cannot be looked up",
    ["two creations of one feature", "--faults", "2"],
    ["lib/store/replace-item.ts", "sk: item.sk }).catch(rethrowAsUnknownOutcome)", "sk: item.sk })"],
  ),
  bug("a creation counts as that of another request", "two creations of one feature", [
    createFeature,
    "project === inProject && creation?.id === id",
    "project === inProject || creation?.id === id",
  ]),
  bug(
    "a change does not say that it touched the strategies",
    "an undo of a patch of strategies and a concurrent switch",
    [
      nextState,
      "differingAspects(state, plan).map(",
      'differingAspects(state, plan).filter((one) => one !== "strategies").map(',
    ],
  ),
  bug("a write of strategies is not sent", "a patch of strategies and a concurrent patch of variants", [
    storedContent,
    "filter(([name]) => name in old)",
    'filter(([name]) => name in old && name !== "audience")',
  ]),
  bug("an undo restores the variants alone", "an undo of a switch and a concurrent patch", [
    planUndo,
    "return { ...content, ...change.old, undoneChange: change, trippedGuardName };",
    "return { ...content, variants: change.old.variants ?? content.variants, undoneChange: change };",
  ]),
  bug("an undo of a patch switches too", "an undo of a patch and a concurrent switch", [
    nextState,
    "differingAspects(state, plan).map((aspect) => [aspect, state[aspect]])",
    'differingAspects(state, plan).map((aspect) => [aspect, state[aspect]]).concat([["enabled", false]])',
  ]),
  bug("an undo leaves its change at the top", "an undo and a concurrent patch", [
    nextState,
    "top = undoneChange ? topAfterUndo(state.top, undoneChange.oldTop, trippedGuardName)",
    "top = undoneChange ? state.top",
  ]),
  bug("the last change is not seen to be an undo", "an undo and a retry of what it undoes", [
    lookUp,
    "carried.find(({ undoes }) => undoes?.revision === change.revision) ?? undoneBy",
    "undoneBy",
  ]),
  bug("a retry of what was undone is not refused", "an undo and a retry of what it undoes", [
    lookUp,
    "if (undoneBy === undefined) continue;",
    "if (undoneBy !== null) continue;",
  ]),
  bug(
    "an undo writes before all environments are known to allow it",
    "an undo of a change after which one environment was changed",
    [
      changeFeature,
      "if (isStrict) requireNoPlannedFailure(planned)",
      'if (isStrict && request.edit.kind !== "undo") requireNoPlannedFailure(planned)',
    ],
  ),
  bug("a write has the stamp of the change before it", "two undos of one change", [
    nextState,
    "    ...stamp,\n",
    "    ...(state.carried[0] ?? stamp),\n",
  ]),
  bug(
    "a change that was made after the read counts as the own one",
    [
      "a request with an idempotency key, and more changes than an environment has the ids of",
      "--faults",
      "2",
    ],
    [lookUp, "stored && stored.change.revision <= state.revision", "stored"],
  ),
  bug("the list has only the changes that an environment carries", "two undos of one change", [
    readChanges,
    "  for (const id of droppedIds) {",
    "  for (const id of droppedIds.slice(0, 0)) {",
  ]),
  bug("a change is stored with the time at which it becomes an item", "two patches of one environment", [
    prepareWrites,
    "change: toStoredChange(change) }",
    "change: toStoredChange({ ...change, at: new Date().toISOString() }) }",
  ]),
  bug("a sandbox keeps a key for good", "a key is revoked", [
    "lib/stale-cache.ts",
    "cached && isYoungerThan(seconds)",
    "cached",
  ]),
  bug(
    "a deletion drops what a patch has written to an environment meanwhile",
    "a deletion of a feature, and a patch of one environment",
    [leftovers, "if (left !== before && deletion) await", "if (!deletion) await"],
  ),
  bug(
    "a deletion does not keep what an interrupted one has left as it is now",
    "a deletion of a feature, and a patch of one environment",
    [leftovers, "if (deletion) await putItems", "if (!deletion) await putItems"],
  ),
  bug(
    "a request keeps its own guard beside that of a parallel attempt",
    "two attempts of one request at once, each with a guard of its own",
    [writeEnvironments, "if (ended.ownChange) {", "if (!outcome) {"],
  ),
  bug(
    "a restoration of a feature that it has found replaces what a patch has left",
    "a deletion of a feature, its restoration, and a patch of it",
    [
      deleteFeature,
      "if (item && (deleted || item.project === project)) throw",
      "if (item && !deleted) throw",
    ],
  ),
  bug("a deletion deletes what was created meanwhile too", "a deletion of a feature, and its creation", [
    deleteFeature,
    "const toDelete = isWanted ? item : undefined;",
    "const toDelete = item;",
  ]),
  bug(
    "a creation replaces what a change has left to an interrupted deletion",
    "a deletion of a feature, its creation and restoration, and a switch of it",
    [createFeature, "if (await completeDeletion(session, stored)) return", "if (!completeDeletion) return"],
  ),
  ...[
    bug("of several carried changes only the last becomes an item", "three patches of one environment", [
      prepareWrites,
      "state.carried.flatMap((change)",
      "state.carried.slice(0, 1).flatMap((change)",
    ]),
    bug(
      "an earlier attempt is not found among the carried changes",
      "a request with an idempotency key, and more changes than an environment has the ids of",
      [lookUp, "carried.find((change) =>", "carried.slice(0, 1).find((change) =>"],
    ),
    bug(
      "an undo is not found among the carried changes",
      "an undo, and retries of what it undoes after each of several changes",
      [lookUp, "carried.find(({ undoes })", "carried.slice(0, 1).find(({ undoes })"],
    ),
  ].map((bug) => ({ ...bug, carried: "2" })),
];

/**
 * @param {string} name
 * @param {string | string[]} foundBy The scenario, and further options.
 * @param {[file: string, from: string, to: string][]} edits
 * @returns {Bug}
 */
function bug(name, foundBy, ...edits) {
  return { name, foundBy, carried: "1", edits: edits.map(([file, from, to]) => ({ file, from, to })) };
}
