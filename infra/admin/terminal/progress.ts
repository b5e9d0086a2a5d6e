/** A line at a terminal that shows how far a command is, for what takes more than a second. */

const intervalMs = 1000;

/** `reach` sets the count to a value, or increments it. */
export async function withProgress<Result>(
  label: string,
  total: number | undefined,
  work: (reach: (value?: number) => void) => Promise<Result>,
): Promise<Result> {
  let count = 0;
  let isShown = false;
  const show = () => {
    isShown = true;
    process.stderr.write(`\r${label} ${count}${total === undefined ? "" : `/${total}`}`);
  };
  const isWatched = process.stderr.isTTY && process.stdout.isTTY;
  const timer = isWatched ? setInterval(show, intervalMs) : undefined;
  try {
    return await work((value = count + 1) => {
      count = value;
    });
  } finally {
    clearInterval(timer);
    // Clears the line.
    if (isShown) process.stderr.write("\r\u001b[K");
  }
}
