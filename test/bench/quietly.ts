/** Runs handlers in this process without their log. */
export async function quietly<Result>(run: () => Promise<Result>): Promise<Result> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await run();
  } finally {
    process.stdout.write = write;
  }
}
