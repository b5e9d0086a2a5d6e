/** A line at a terminal that shows how far a command is, for what takes more than a second. */

export interface Progress {
  /** Sets the count to a value, or increments it. */
  reach(value?: number): void;
  end(): void;
}

const intervalMs = 1000;

export function createProgress(label: string, total?: number): Progress {
  let value = 0;
  let isShown = false;
  const isWatched = process.stderr.isTTY && process.stdout.isTTY;
  const show = () => {
    isShown = true;
    process.stderr.write(`\r${label} ${value}${total === undefined ? "" : `/${total}`}`);
  };
  const timer = isWatched ? setInterval(show, intervalMs) : undefined;
  return {
    reach(to = value + 1) {
      value = to;
    },
    end() {
      clearInterval(timer);
      // Clears the line.
      if (isShown) process.stderr.write("\r\u001b[K");
    },
  };
}
