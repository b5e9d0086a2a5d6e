/** Rebuilds the functions when a source changes. */
import { context, type Plugin } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";
import { projectFile } from "../project-file.ts";

export async function watchSources(reload: () => void): Promise<void> {
  const onRebuild: Plugin = {
    name: "reload",
    setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length === 0 ? reload() : undefined)),
  };
  const plugins = [...functionsBuild.plugins, onRebuild];
  const settings = { ...functionsBuild, absWorkingDir: projectFile(""), plugins, logLevel: "info" } as const;
  await (await context(settings)).watch();
}
