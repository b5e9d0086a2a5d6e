/** Our limits. Those that Unleash has are in the schemas. */
export const dayMs = 24 * 3_600_000;

export const limits = {
  bodyBytes: 256 * 1024,
  /** It bounds a body, and the result of a patch. */
  jsonDepth: 32,
  /** List elements and members: each may be an issue, which takes time to describe. */
  values: 20_000,
  operations: 1000,
  tagsPerList: 100,
  /** DynamoDB's limit. */
  itemBytes: 400 * 1024,
  tagsBytes: 190 * 1024,
  /** The names of a project's environments: with the tags they must fit in a feature's item. */
  environmentsBytes: 200 * 1024,
  /** All that an environment has: what was there before the last change must fit in the item beside it. */
  contentBytes: 190 * 1024,
  /** Of an environment. */
  strategies: 30,
  /** Of a strategy. */
  constraints: 30,
  /** Of a constraint. */
  constraintValues: 5000,
  /** Of an environment. */
  dependencies: 30,
  /** With its prefix a name is a sort key, of 1024 bytes at most; two are a partition key, of 2048. */
  nameBytes: 1000,
  permissionsPerKey: 100,
  /** The most that the operations of a patch add, copy and move in total, which bounds their work. */
  patchBytes: 1024 * 1024,
  idempotencyKeyLength: 255,
  /** How long a change is kept at least. */
  changeDays: 30,
  /** How long a change can be undone, and its request retried: a day less, as the table deletes it environment by environment. */
  usableDays: 29,
  listedChanges: 20,
  /** Items of changes that are read at once for a list: at most 5 MB. */
  changesPerRead: 25,
  /** A list of changes is read until it has this many bytes. */
  changesBytes: 2_000_000,
  /** The differences of a list of changes, so that it fits in a response. */
  differencesBytes: 5_000_000,
  /** The ids of tag updates that a feature keeps besides the last: after a conflict they show whether it was stored. */
  olderUpdates: 20,
  reasonLength: 200,
  /** The longest that a change is under a guard: a day. */
  guardSeconds: 24 * 3600,
  /** The most bytes of a body, as Lambda counts them: its limit of 6 MiB includes the headers. */
  responseBytes: 6_000_000,
  /** Any key that may read can cause a dry run, and data out is the largest cost. */
  previewBytes: 1_000_000,
  listedFeatures: 1000,
  /** With their environments. */
  listedWithEnvironments: 200,
  /** Features in a page with their environments, as JSON: the page ends before the next one. */
  listedBytes: 2_000_000,
  /** Pages of 1 MB that a list or a document is made from. */
  listPages: 20,
  /** Characters that a warm sandbox keeps. */
  documentCache: 64_000_000,
  /** Longer headers are left out: API Gateway takes 10 KB of them. */
  outcomesHeaderLength: 4096,
  hintHeaderLength: 1024,
  issues: 100,
  /** A longer JSON Pointer is cut to a parent. */
  pointerLength: 500,
  /** The changes that an environment carries before they become items together. */
  carriedChanges: 3,
  /** Above this size they become items at the next write, even if they are fewer: the environment's item must have room. */
  carriedBytes: 8 * 1024,
} as const;
