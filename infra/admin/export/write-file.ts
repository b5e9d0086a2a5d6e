/** Writes a document to a file, or to the standard output. */
import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../refusal.ts";
import { note, printJson } from "../terminal/output.ts";

/** `mode` replaces that of an existing file too. */
export function writeDocument(content: object, file: string | undefined, mode?: number): void {
  if (file === undefined || file === "-") {
    printJson(content);
    return;
  }
  const text = `${JSON.stringify(content, null, 2)}\n`;
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    if (!old?.isFile() || !replaceFile(realpathSync(file), text, { ...old, mode: mode ?? old.mode })) {
      writeFileSync(file, text, { mode });
      if (old?.isFile() && mode !== undefined) chmodSync(file, mode);
    }
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  note(`Written to ${file}.`);
}

/** Codes of a mount, such as a file of a container's host, and of a file in a read-only folder. */
const irreplaceable = ["EBUSY", "EXDEV", "EACCES", "EPERM", "EROFS"];

/** A crash or a full disk leaves the old file as it was. False if it can only be written in place. */
function replaceFile(
  file: string,
  text: string,
  { mode, uid, gid }: { mode: number; uid: number; gid: number },
): boolean {
  const temporary = path.join(path.dirname(file), `burgee-export-${randomUUID()}`);
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    if (process.getuid?.() === 0) chownSync(temporary, uid, gid);
    chmodSync(temporary, mode);
    renameSync(temporary, file);
    return true;
  } catch (error) {
    if (!irreplaceable.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}
