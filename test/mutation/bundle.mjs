/** The tests and the sources that Stryker has put its mutants into, as modules that Node can load more than once. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

const { resolve } = createRequire(import.meta.url);

/** About something else, or for its time alone. */
const elsewhere = new Set(
  [
    "unit/check-history",
    "unit/patterns",
    "unit/service",
    "unit/patch/hostile",
    "http/authentication",
    "http/body-size",
    "http/events",
    "http/json",
    "http/log",
    "http/operations",
    "http/paths",
    "http/stage-name",
  ].map((name) => `test/${name}.test.ts`),
);

/** These take longer than all others of their kind. */
const slow = ["document", "list", "changes", "safety", "reference"].map((name) => `/${name}.test.ts`);

/** The first test that fails ends a mutant, so the cheapest come first: those without a database, the slow ones last. */
export const testFiles = files("test/unit", "test/unit/contract", "test/unit/patch", "test/http")
  .concat("test/infra/reference/document.test.ts", "test/store/resume.test.ts")
  .filter((file) => !elsewhere.has(file) && new RegExp(process.env.MUTATION_TESTS ?? "").test(file))
  .sort((left, right) => cost(left) - cost(right));

/** @param {string} out */
export async function bundle(out) {
  /** @type {import("esbuild").BuildOptions} */
  const options = {
    absWorkingDir: process.cwd(),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
    plugins: [standIns],
  };
  await build({ ...options, entryPoints: ["functions/tags.ts", "functions/variants.ts"], outdir: out });
  await build({
    ...options,
    entryPoints: [...testFiles, "test/support/log.ts", "test/support/dynalite.ts"],
    outdir: `${out}/0`,
    splitting: true,
  });
}

/** @type {import("esbuild").Plugin} */
const standIns = {
  name: "stand-ins",
  setup({ onResolve, onLoad }) {
    const vitest = new URL("vitest.mjs", import.meta.url).href;
    onResolve({ filter: /^vitest$/ }, () => ({ path: vitest, external: true }));
    // Of these, Node knows no names, or wants words that TypeScript does not.
    onResolve({ filter: /^(fast-json-patch|json-patch-test-suite\/.*)$/ }, ({ path }) => ({
      path: resolve(path),
    }));
    // With its mutants in it, the code takes more time than it may.
    onLoad({ filter: /test\/support\/cost\.ts$/ }, () => ({
      contents: "export const milliseconds = () => 0;",
    }));
    // Each service of the tests loads its own handlers.
    onLoad({ filter: /test\/support\/burgee\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /import\("\.\.\/\.\.\/(functions\/\w+)\.ts"\)/g,
        'globalThis.loadHandler("$1.mjs")',
      ),
      loader: "ts",
    }));
  },
};

/** @param {string[]} folders */
function files(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".test.ts"))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
}

/** @param {string} file */
function cost(file) {
  return /^test\/(http|store)\//.test(file) ? slow.length : slow.findIndex((name) => file.endsWith(name));
}
