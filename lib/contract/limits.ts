/**
 * Every limit of our own, in one place: a message that refuses something takes it from here. The lengths of names and
 * tags are the contract's, and are part of their schemas.
 */
export const limits = {
  /** The request body, before parsing. */
  bodyBytes: 256 * 1024,
  /** Lists and objects inside one another, in a body and in the result of a patch. */
  jsonDepth: 32,
  /** Operations in one patch. */
  operations: 1000,
  /** Tags in each list of one update: 200 keep DynamoDB's expression under its 4 KB and 300 operators. */
  tagsPerList: 100,
  /** What DynamoDB stores in one item: all tags of a feature, or all variants of an environment. */
  itemBytes: 400 * 1024,
  /** A feature's or a project's name in UTF-8: with its prefix it is a partition key, which takes 2048 bytes. */
  nameBytes: 2040,
  /** An environment's name in UTF-8: with its prefix it is a sort key, which takes 1024 bytes. */
  environmentNameBytes: 1012,
  /** Permissions of one API key: their projects become operands of DynamoDB's IN, which takes 100. */
  permissionsPerKey: 100,
  /** What the operations of one patch may add, copy and move in total, so that its work stays small. */
  patchBytes: 1024 * 1024,
  /** The characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** The changes in effect that an environment lists; with those that were undone, and their undos, up to twice as many. */
  changes: 10,
  /** The ways back of these together, as JSON; that of the newest is kept where it fits in the item. */
  wayBackBytes: 32 * 1024,
  /** How long after its write a change with an idempotency key is kept at least: a day, and an hour as clocks differ. */
  idempotencyHours: 25,
  /** Such changes in an environment by callers of one name: some 55 bytes each. */
  keysPerCaller: 300,
  /** Such changes in an environment. */
  keys: 1000,
  /** The times that overlapping attempts give one change differ by less than this: a request takes at most 10 seconds. */
  attemptSeconds: 15,
  /** The characters of a Burgee-Reason, decoded. */
  reasonLength: 200,
  /** A response as Lambda measures it, whose own limit of 6 MiB includes the headers. */
  responseBytes: 6_000_000,
  /** The header `burgee-environments`; a longer one is left out. API Gateway takes 10 KB of headers. */
  outcomesLength: 4096,
  /** The header `burgee-hint`; a longer one is left out. */
  hintBytes: 1024,
  /** Issues after which the rest of a body is not validated. */
  issues: 100,
  /** The length of a JSON Pointer in a response; a longer one ends at an ancestor of the place. */
  pointerLength: 500,
} as const;
