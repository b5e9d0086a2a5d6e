/** A progress bar at a terminal, for what takes more than a second. */
import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** Sets the count to a value, or increments it. */
  reach(value?: number): void;
  end(): void;
}

const delayMs = 1000;

/** Without a total it shows a growing count and no bar. */
export function createProgress(label: string, total?: number): Progress {
  let value = 0;
  const bar = isWatched() ? createBar(label, total) : undefined;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    bar?.start(total ?? 0, value);
  }, delayMs);
  return {
    reach(to = value + 1) {
      value = to;
      if (isShown) bar?.update(value);
    },
    end() {
      clearTimeout(timer);
      if (isShown) bar?.stop();
    },
  };
}

function isWatched(): boolean {
  return process.stderr.isTTY === true && process.stdout.isTTY === true;
}

function createBar(label: string, total: number | undefined): SingleBar {
  const format =
    total === undefined ? `${label} {value}` : `${label} {bar} {value}/{total} {duration_formatted}`;
  // A hidden cursor would stay hidden after the program is killed.
  const options = { format, stream: process.stderr, clearOnComplete: true, hideCursor: false, fps: 10 };
  return new SingleBar(options, Presets.shades_classic);
}
