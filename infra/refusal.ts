/** An error that the operator can fix: reported in one line, without a stack. */
export class Refusal extends Error {}

/** A command that was not given as its help says. */
export class UsageError extends Refusal {}
