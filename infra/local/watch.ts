/** Builds the functions again when a source changes. */
import { context } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";

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
  const watching = await context({ ...functionsBuild, plugins: [...functionsBuild.plugins, onRebuild] });
  await watching.watch();
}
