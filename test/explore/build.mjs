/** Builds the exploration from the sources, with or without a deliberate bug. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";

/**
 * @param {string} outfile
 * @param {readonly { file: string, from: string | RegExp, to: string }[]} edits
 * @param {string} carried The most changes that an environment carries. With one, every write makes an item of a change.
 */
export async function buildExplorer(outfile, edits = [], carried = "1") {
  const file = "lib/contract/limits.ts";
  const limits = [
    // The lists of ids overflow within the bounds when they are this short.
    { file, from: "listedChanges: 20", to: "listedChanges: 2" },
    { file, from: "earlierWriteIds: 20", to: "earlierWriteIds: 1" },
    { file, from: "carriedChanges: 3", to: `carriedChanges: ${carried}` },
  ];
  await build({
    entryPoints: ["test/explore/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    mainFields: ["module", "main"],
    alias: functionsBuild.alias,
    plugins: [edited([...limits, ...edits]), ...functionsBuild.plugins],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    sourcemap: "inline",
    logLevel: "error",
  });
}

/**
 * Edits sources as they are built. Fails the build if an edit no longer fits its file, or if nothing loads the file.
 * @param {readonly { file: string, from: string | RegExp, to: string }[]} edits
 */
const edited = (edits) => ({
  name: "edited",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const files = new Set(edits.map((edit) => edit.file));
    const unloaded = new Set(files);
    for (const file of files) {
      const filter = new RegExp(`/${file.replaceAll(/[.]/g, "\\.")}$`);
      build.onLoad({ filter }, (found) => {
        unloaded.delete(file);
        let contents = readFileSync(found.path, "utf8");
        for (const { from, to } of edits.filter((edit) => edit.file === file)) {
          const before = contents;
          contents = contents.replace(from, to);
          if (contents === before) return { errors: [{ text: `${file} has no more "${from}"` }] };
        }
        const loader = path.extname(file) === ".ts" ? "ts" : "js";
        return { contents, loader, resolveDir: path.dirname(found.path) };
      });
    }
    build.onEnd(() => ({ errors: [...unloaded].map((file) => ({ text: `nothing loads ${file}` })) }));
  },
});
