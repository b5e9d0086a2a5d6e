/** Rebuilds the functions when a source changes. */
import { context } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";
import { projectFile } from "../project-file.ts";

export async function watchSources(reload: () => void): Promise<void> {
  const onRebuild = {
    name: "reload",
    setup({ onEnd }: { onEnd(callback: (result: { errors: unknown[] }) => void): void }) {
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
