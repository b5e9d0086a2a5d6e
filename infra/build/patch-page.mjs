/** Builds the page /patch as one HTML document, with its script, its style and its icon in it. */
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * The options of esbuild for the script and the style of the page.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const pageBuild = {
  entryPoints: ["infra/clients/page/main.ts", "infra/clients/page/page.css"],
  outdir: "dist",
  write: false,
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  // The code that applies patches counts bytes by it.
  inject: ["infra/clients/page/buffer.ts"],
};

/** @param {Record<string, string>} alias Of packages. */
export async function buildPatchPage(alias) {
  // Imported at the top, it would delay each `npm start`, and a missing package would end the build with a stack.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ ...pageBuild, alias });
  const [script, style] = [".js", ".css"].map(
    (ext) => outputFiles.find((file) => path.extname(file.path) === ext)?.text,
  );
  const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync("infra/clients/page/icon.svg", "utf8").trim())}`;
  const html = readFileSync("infra/clients/page/index.html", "utf8")
    .replaceAll('"icon.svg"', `"${icon}"`)
    .replace('<link rel="stylesheet" href="page.css" />', () => `<style>${style}</style>`)
    .replace('src="main.ts"></script>', () => `>${script}</script>`);
  return { path: path.resolve("dist/patch-page.html"), contents: Buffer.from(html) };
}
