/** Rebuilds the functions when a source changes. */
import { context, type Plugin } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";
import { projectFile } from "../project-file.ts";

export async function watchSources(reload: () => void): Promise<void> {
  const onRebuild: Plugin = {
    name: "reload",
    setup({ onEnd }) {
      let isFirst = true;
      onEnd(({ errors }) => {
        if (!isFirst && errors.length === 0) {
          reload();
          console.log("reloaded");
        }
        isFirst = false;
      });
    },
  };
  const plugins = [...functionsBuild.plugins, onRebuild];
  const watching = await context({ ...functionsBuild, absWorkingDir: projectFile(""), plugins });
  await watching.watch();
}
