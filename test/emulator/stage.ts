/** Opens a stage as an operator: with sources, commands, and an empty account. */
import { startEmulator } from "./emulator.ts";
import { copySources, type Ending, type Sources } from "./sources.ts";

export interface Stage {
  /** The emulator's endpoint. */
  endpoint: string;
  sources: Sources;
  /** Runs a script with `--stage`. */
  npm(script: string, ...given: string[]): Promise<Ending>;
  deploy(...given: string[]): Promise<Deployed>;
  close(): Promise<void>;
}

export interface Deployed extends Ending {
  /** As the command printed it; empty if it printed none. */
  url: string;
  table: string;
}

export async function openStage(name: string): Promise<Stage> {
  const emulator = await startEmulator();
  const sources = copySources(emulator.endpoint);
  const npm = (script: string, ...given: string[]) => sources.npm(script, "--stage", name, ...given);
  return {
    endpoint: emulator.endpoint,
    sources,
    npm,
    async deploy(...given) {
      const ending = await npm("deploy", "--yes", ...given);
      const [, url = "", table = ""] = /^Url: (\S+)\nTableName: (\S+)$/m.exec(ending.out) ?? [];
      return { ...ending, url, table };
    },
    async close() {
      await emulator.stop();
      sources.remove();
    },
  };
}
