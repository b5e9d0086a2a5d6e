/** Every limit of our own, also for messages. The lengths of names and tags are the contract's, and in their schemas. */
export const limits = {
  /** The request body, before parsing. */
  bodyBytes: 256 * 1024,
  /** Lists and objects inside one another, in a body and in the result of a patch. */
  jsonDepth: 32,
  /** List elements and members, in a body and in a patched document: each may be an issue, which takes time to describe. */
  values: 20_000,
  /** Operations in one patch. */
  operations: 1000,
  /** Tags in each list of one update: 200 keep DynamoDB's expression under its 4 KB and 300 operators. */
  tagsPerList: 100,
  /** What DynamoDB stores in one item: all tags of a feature. */
  itemBytes: 400 * 1024,
  /** The variants of an environment, so that those before its last change fit beside them. */
  variantsBytes: 190 * 1024,
  /** A name in UTF-8: with its prefix it is a sort key, which takes 1024 bytes; two of them are a partition key of 2048. */
  nameBytes: 1000,
  /** Permissions of one API key: their projects become operands of DynamoDB's IN, which takes 100. */
  permissionsPerKey: 100,
  /** What the operations of one patch may add, copy and move in total, so that its work stays small. */
  patchBytes: 1024 * 1024,
  /** The characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** For how long a change is kept. */
  changeDays: 30,
  /** For how long it can be undone, and its request retried: a day less, as clocks differ. */
  usableDays: 29,
  /** The newest changes of an environment, which are listed. */
  listedChanges: 20,
  /** The characters of a Burgee-Reason, decoded. */
  reasonLength: 200,
  /** A response as Lambda measures it, whose own limit of 6 MiB includes the headers. */
  responseBytes: 6_000_000,
  /** The same of a dry run, as any key that may read can cause one, and data out is the largest cost. */
  previewBytes: 1_000_000,
  /** Features in one page of the list. */
  listedFeatures: 1000,
  /** Pages of 1 MB that a list, or a document, is made from. */
  listPages: 20,
  /** The JSON of a base document. */
  documentBytes: 8 * 1024 * 1024,
  /** The same as it is stored, which leaves room in an item. */
  storedDocumentBytes: 380 * 1024,
  /** The characters of all documents that a warm sandbox keeps. */
  documentCache: 64_000_000,
  /** The header `burgee-environments`; a longer one is left out. API Gateway takes 10 KB of headers. */
  outcomesLength: 4096,
  /** The header `burgee-hint`; a longer one is left out. */
  hintBytes: 1024,
  /** The issues of a body that a response lists. */
  issues: 100,
  /** The length of a JSON Pointer in a response; a longer one ends at an ancestor of the place. */
  pointerLength: 500,
  /** The newest changes that an environment carries itself; they become items together. */
  carriedChanges: 3,
  /** Fewer where they are large, as JSON. */
  carriedBytes: 8 * 1024,
} as const;
