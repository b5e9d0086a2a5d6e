/** Writes a file that the operator named. If the write fails, one that exists stays: it is written beside it, and renamed. */
import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

export function writeWhole(file: string, text: string, mode?: number): void {
  const old = statSync(file, { throwIfNoEntry: false });
  if (!old?.isFile()) {
    writeFileSync(file, text, { mode });
    return;
  }
  const target = realpathSync(file);
  // Renaming would replace a read-only file.
  accessSync(target, constants.W_OK);
  const draft = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: old.mode, flag: "wx" });
    chmodSync(draft, old.mode);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
