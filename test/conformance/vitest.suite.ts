/** The suite's own configuration of Vitest, which also says which case runs. It is read by the suite's Vitest. */
export default {
  test: {
    ...{ globals: true, testTimeout: 30_000, hookTimeout: 120_000 },
    // Its files share tables.
    ...{ pool: "forks", poolOptions: { forks: { singleFork: true } } },
    setupFiles: [new URL("running.ts", import.meta.url).pathname, "./src/setup.ts"],
    include: ["tests/**/*.test.ts"],
  },
};
