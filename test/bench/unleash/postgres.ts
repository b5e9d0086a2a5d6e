/** Starts PostgreSQL on its own data, without Docker. */
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../support/listening.ts";

/** The user `nobody`: PostgreSQL refuses to run as root. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Ends with this process. `folder` is the package's; returns the URL. */
export async function startPostgres(folder: string): Promise<string> {
  // Creates the package's symbolic links, as its install script would.
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  const data = mkdtempSync(path.join(tmpdir(), "burgee-postgres-"));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const run = (program: string, ...args: string[]) => {
    execFileSync(path.join(folder, "native/bin", program), ["-D", data, ...args], {
      ...user,
      cwd: data,
      stdio: ["ignore", "ignore", "inherit"],
    });
  };
  run("initdb", "-U", "unleash", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync");
  const port = await freePort();
  // As with Burgee's data folder, writes survive the process but not the machine.
  const settings = `-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c port=${port} -c fsync=off`;
  run("pg_ctl", "start", "--wait", "--log", path.join(data, "log"), "--options", settings);
  process.once("exit", () => {
    run("pg_ctl", "stop", "--mode", "immediate");
    rmSync(data, { recursive: true, force: true });
  });
  return `postgres://unleash@127.0.0.1:${port}/postgres`;
}
