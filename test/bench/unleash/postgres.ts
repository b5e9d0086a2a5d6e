/** Starts PostgreSQL on its own data, without Docker. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../support/listening.ts";

export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

/** The user `nobody`: PostgreSQL refuses to run as root. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** `folder` is the package's. */
export async function startPostgres(folder: string): Promise<Postgres> {
  // Creates the package's symbolic links, as its install script would.
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  const data = mkdtempSync(path.join(tmpdir(), "burgee-postgres-"));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const program = (name: string) => path.join(folder, "native/bin", name);
  const settings = ["-U", "unleash", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
  execFileSync(program("initdb"), ["-D", data, ...settings], { ...user, cwd: data, stdio: "pipe" });
  const port = await freePort();
  // As with dynalite, writes survive the process but not the machine.
  const options = { listen_addresses: "127.0.0.1", unix_socket_directories: "", port, fsync: "off" };
  const given = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(program("postgres"), ["-D", data, ...given], { ...user, cwd: data });
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (line.includes("ready to accept connections")) break;
  }
  child.stderr.resume();
  if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${lines.join("\n")}`);
  return {
    url: `postgres://unleash@127.0.0.1:${port}/postgres`,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGINT");
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
