/** Why an operation cannot be applied to the document: the words that follow its op and path. */
export class PatchFault extends Error {}
