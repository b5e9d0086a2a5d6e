/** An error that the operator can fix: reported in one line, without a stack. */
export class Refusal extends Error {}

/** Wrong usage of a command. */
export class UsageError extends Refusal {}
