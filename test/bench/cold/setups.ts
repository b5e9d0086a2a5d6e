/** Builds the set-ups to measure: the functions as they are deployed, and those they are compared with. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { functionsBuild } from "../../../esbuild.config.mjs";

export interface Setup {
  name: "burgee" | "usual" | "without log" | "empty";
  /** The file of a handler: "tags" or "variants". */
  fileOf(handler: string): string;
}

/** Replaces the log: no line is made or written. */
const withoutLog = replacing(
  /lib\/http\/log\.ts$/,
  "export const writeLog = () => {}, outcomesByEnvironment = () => undefined, describeError = () => undefined;",
);

/** Replaces the warm-up: the init prepares no request. */
const withoutWarmUp = replacing(
  /lib\/store\/warm-up\.ts$/,
  `import { Agent } from "node:https";
  export class EarlyAgent extends Agent { constructor() { super({ keepAlive: true, maxSockets: 50 }); } }
  export const warmUp = () => {};`,
);

function replacing(filter: RegExp, contents: string): Plugin {
  return {
    name: filter.source,
    setup: ({ onLoad }) => onLoad({ filter }, () => ({ contents, loader: "ts" })),
  };
}

/**
 * What most projects ship: unbundled packages in node_modules, with all of the SDK and Zod's classic build, and an init
 * that prepares no request. In its favour, our own sources are bundled into one CommonJS file here too.
 */
const usualBuild: BuildOptions = {
  entryPoints: functionsBuild.entryPoints,
  outdir: "dist/bench/usual",
  outExtension: functionsBuild.outExtension,
  bundle: true,
  packages: "external",
  platform: "node",
  target: functionsBuild.target,
  format: "cjs",
  alias: { "zod/mini": "./test/bench/cold/classic-zod.cjs" },
  plugins: [withoutWarmUp],
};

export async function buildSetups(): Promise<Setup[]> {
  await build(usualBuild);
  const plugins = [withoutLog, ...functionsBuild.plugins];
  await build({ ...functionsBuild, plugins, sourcemap: false, outdir: "dist/bench/without-log" });
  writeFileSync("dist/bench/empty.cjs", "exports.handler = async () => ({ statusCode: 204 });\n");
  const within =
    (folder: string) =>
    (handler: string): string =>
      path.resolve(folder, `${handler}.cjs`);
  return [
    { name: "burgee", fileOf: within("dist") },
    { name: "usual", fileOf: within("dist/bench/usual") },
    { name: "without log", fileOf: within("dist/bench/without-log") },
    { name: "empty", fileOf: () => path.resolve("dist/bench/empty.cjs") },
  ];
}
