/** The limits of Burgee. Unleash's own, such as the lengths of tags and of a strategy's name, are in the schemas. */
export const limits = {
  // Bounds of what a client sends.
  bodyBytes: 256 * 1024,
  /** The levels of nesting of a body, and of what a patch builds. */
  jsonDepth: 32,
  /**
   * The list elements and members of a body, and of what a patch builds. It bounds the time of validation, as each may
   * be an issue.
   */
  jsonValues: 20_000,
  patchOperations: 1000,
  /** What the operations of a patch add, replace, copy and move in total, which bounds the work of applying it. */
  patchBytes: 1024 * 1024,
  tagsPerList: 100,
  idempotencyKeyLength: 255,
  reasonLength: 200,
  /** A change is under a guard for at least a minute. */
  leastGuardSeconds: 60,
  /** A change is under a guard for at most a day. */
  guardSeconds: 24 * 3600,
  /** The length of the names that must be URL-friendly: of features, variants, strategies and guards. */
  urlFriendlyNameLength: 100,

  // Bounds of what is stored, and how long a change is kept.
  /** The size of an item: DynamoDB's limit. */
  itemBytes: 400 * 1024,
  /** The content of an environment: what the last change replaced must fit in the item beside it. */
  contentBytes: 190 * 1024,
  /** The strategies of an environment. */
  strategies: 30,
  /** The constraints of a strategy. */
  constraints: 30,
  /** The values of a constraint. */
  constraintValues: 5000,
  /** The dependencies of an environment. */
  dependencies: 30,
  tagsBytes: 190 * 1024,
  /** With a prefix, a name fits in a sort key (1,024 bytes), and two names in a partition key (2,048 bytes). */
  nameBytes: 1000,
  /** The names of a project's environments, which must fit in a feature's item together with its tags. */
  environmentsBytes: 200 * 1024,
  permissionsPerKey: 100,
  /** A change, and the content of a deleted feature, is kept for at least this long. */
  keptDays: 30,
  /**
   * A change can be undone, and its request retried, for this long: a day less than it is kept, because DynamoDB
   * deletes it in one environment after the other.
   */
  undoableDays: 29,

  // Bounds of what a response has.
  /** The body of a response, as Lambda counts it: its limit of 6 MiB includes the headers. */
  responseBytes: 6_000_000,
  /** The body of a dry run: any key that may read can cause one, and data out is the largest cost. */
  previewBytes: 1_000_000,
  listedChanges: 20,
  listedFeatures: 1000,
  /** The pages of 1 MB that are read to make a list. A document is made from two lists. */
  listPages: 20,
  /** The issues that an error lists. */
  listedIssues: 100,
  /** The moves that an environment lists, or each of its strategies. The smaller ones are one move together. */
  listedMoves: 100,
  /**
   * The length of a header with a value for each environment. Longer headers are left out, because API Gateway accepts
   * 10 KB of headers.
   */
  environmentsHeaderLength: 4096,
  hintHeaderLength: 1024,

  // These refuse no request. They end lists, and keep room in an item.
  /** A list of changes, or of features with their environments, ends before its body would exceed this. */
  listBytes: 5_000_000,
  /** The ids of its writes that a feature keeps besides the last: after a conflict they show whether one was stored. */
  earlierWriteIds: 20,
  /** An environment carries at most this many changes. Before the next write all of them become items. */
  carriedChanges: 3,
  /** Carried changes that take more than this become items before the next write, even fewer than three. */
  carriedBytes: 8 * 1024,
} as const;

/** For the limits that are in days. */
export const dayMs = 24 * 3_600_000;

/** How long a change is under its guard if the request does not say. */
export const defaultGuardSeconds = 30 * 60;

/** The least characters of an API key. Commands make longer ones, so that only a state file can have a shorter one. */
export const minKeyLength = 16;

/** The characters that an API key may have: those that HTTP libraries send in a header, as Latin-1. */
export const keyPattern = /^[\t\x20-\x7e\x80-\xff]*$/;
