/** Compares both servers, and lists the lines on which Unleash is ahead. */
import { formatTable } from "../../../infra/admin/terminal/table.ts";
import type { Booted } from "../load/boots.ts";
import type { LoadLine } from "../load/fire.ts";
import type { Memory } from "../load/memory.ts";
import { type Measured, ratio, summarize } from "../statistics.ts";

export interface Line {
  what: string;
  burgee: number;
  unleash: number;
  /** How many times better Burgee is. */
  ahead: number;
}

export interface Both<What> {
  burgee: What;
  unleash: What;
}

/** The lines of loads that were run in turn. */
export function loadLines({ burgee, unleash }: Both<LoadLine[]>): Line[] {
  const [first] = burgee;
  const connections = `${first?.connections} connection${first?.connections === 1 ? "" : "s"}`;
  const kind = `${first?.isHot ? " of one feature" : ""}${first?.isRich ? " with payload and overrides" : ""}`;
  const what = `${first?.operation}${kind}, ${connections}`;
  const [ours, theirs] = [burgee, unleash].map((lines) => lines.map(({ perSecond }) => perSecond));
  const latencies = [burgee, unleash].map((lines) => summarize(lines.map(({ p99 }) => p99)));
  return [
    {
      what: `${what}, requests/s`,
      burgee: summarize(ours ?? []).median,
      unleash: summarize(theirs ?? []).median,
      ahead: ratio(ours ?? [], theirs ?? []).median,
    },
    less(
      `${what}, p99 ms`,
      latencies.map(({ median }) => median),
    ),
  ];
}

export function otherLines({ burgee, unleash }: Both<Booted>, fired: Both<LoadLine[]>): Line[] {
  const idle = [burgee.idle, unleash.idle];
  const most = [fired.burgee, fired.unleash].map(peakOf);
  return [
    less(
      "start to first response, ms",
      [burgee.boot, unleash.boot].map(({ median }: Measured) => median),
    ),
    less("memory of server and database, idle, MB", idle.map(total)),
    less("memory of server and database, peak, MB", most.map(total)),
  ];
}

/** How memory is split between its processes is each server's own matter, so it is not compared. */
export function memoryRows(fired: Both<LoadLine[]>): string[][] {
  const [ours, theirs] = [fired.burgee, fired.unleash].map(peakOf);
  return (["server", "database"] as const).map((part) => [
    `of which the ${part}, at its peak`,
    ...[ours, theirs].map((memory) => memory?.[part].toFixed(0) ?? ""),
    "",
  ]);
}

function total({ server, database }: Memory): number {
  return server + database;
}

function less(what: string, [burgee = 0, unleash = 0]: readonly number[]): Line {
  return { what, burgee, unleash, ahead: unleash / burgee };
}

function peakOf(lines: readonly LoadLine[]): Memory {
  const most = (name: keyof Memory) => Math.max(...lines.map(({ memory }) => memory.peak[name]));
  return { server: most("server"), database: most("database") };
}

export function format(lines: readonly Line[], more: readonly string[][]): string {
  const rows = lines.map(({ what, burgee, unleash, ahead }) => [
    what,
    burgee.toFixed(0),
    unleash.toFixed(0),
    `${ahead.toFixed(2)} x`,
  ]);
  return formatTable(["what", "burgee", "unleash", "ahead"], [...rows, ...more]);
}

export function behindIn(lines: readonly Line[]): string[] {
  const behind = lines.filter(({ ahead }) => ahead < 1);
  return behind.map(({ what, ahead }) => `${what}: ${ahead.toFixed(2)} x`);
}
