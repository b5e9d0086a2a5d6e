/** A line at a terminal that shows how far a command is, for what takes more than a second. */

const hiddenMs = 1000;

/** Runs `work`, and gives it `reach`, which sets the count or increments it, and `hide`, which clears the line for other output. */
export async function withProgress<Result>(
  label: string,
  total: number | undefined,
  work: (reach: (value?: number) => void, hide: () => void) => Promise<Result>,
): Promise<Result> {
  const isWatched = process.stderr.isTTY && process.stdout.isTTY;
  const shownFrom = performance.now() + hiddenMs;
  let count = 0;
  let isShown = false;
  function reach(value = count + 1): void {
    count = value;
    isShown = isWatched && performance.now() > shownFrom;
    if (isShown) process.stderr.write(`\r${label} ${count}${total === undefined ? "" : `/${total}`}`);
  }
  function hide(): void {
    if (isShown) process.stderr.write("\r\u001b[K");
    isShown = false;
  }
  try {
    return await work(reach, hide);
  } finally {
    hide();
  }
}
