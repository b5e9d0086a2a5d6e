/** The lines that the handlers logged in the current test. */
export const log: Record<string, unknown>[] = [];
