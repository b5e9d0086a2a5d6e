/** Shortens the pauses between the attempts of a client, whose length a test then checks in place of waiting. */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/** Ends each pause after a hundredth of its time. Returns the list of pauses, in milliseconds, and the way back. */
export function shortenPauses() {
  const { setTimeout } = timers;
  /** @type {number[]} */
  const pauses = [];
  timers.setTimeout = (ms = 0, ...rest) => {
    pauses.push(ms);
    return setTimeout(ms / 100, ...rest);
  };
  syncBuiltinESMExports();
  return {
    pauses,
    restore() {
      timers.setTimeout = setTimeout;
      syncBuiltinESMExports();
    },
  };
}

const script = `import { shortenPauses } from ${JSON.stringify(import.meta.url)}; shortenPauses();`;

/** What node is given to shorten them in a program that a test starts. */
export const shortPauses = ["--import", `data:text/javascript,${encodeURIComponent(script)}`];
