/** Measures the memory of processes and of all processes they have started. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** In MB. */
export interface Memory {
  server: number;
  database: number;
}

interface Process {
  pid: number;
  parent: number;
  megabytes: number;
}

export async function readProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,rss="]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, megabytes: kilobytes / 1024 };
    });
}

export function startedBy(processes: readonly Process[], pid: number): Process[] {
  const children = processes.filter(({ parent }) => parent === pid);
  return [...children, ...children.flatMap((child) => startedBy(processes, child.pid))];
}

/** Counts shared memory once, where the system reports it. */
export async function megabytesOf(processes: readonly Process[]): Promise<number> {
  const each = await Promise.all(
    processes.map(async ({ pid, megabytes }) => (await readProportional(pid)) ?? megabytes),
  );
  return each.reduce((sum, one) => sum + one, 0);
}

/** Reads the proportional set size on Linux: a shared page is divided among its processes. */
async function readProportional(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
