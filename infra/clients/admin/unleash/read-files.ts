/** Reads files with exports of Unleash, with the switches and segments that these lack. */
import { readJsonFile, sourceOf } from "../../../cli/json-file.ts";
import { UsageError } from "../../../cli/refusal.ts";
import { parseClientDocument, toExport } from "./client-document.ts";
import { parseExport, type UnleashExport } from "./export.ts";
import type { Contents } from "./read-server.ts";
import { readSegments, requireSegments, type Segments, toSegments } from "./segments.ts";
import { readSwitches, switchesOfDocument, withSwitches } from "./switches.ts";

const advice =
  "give --switches FILE with the response of GET /api/admin/projects/{projectId}/features, or with the document that SDKs load; or import with --from URL:";

interface Files {
  files: readonly string[];
  switches: readonly string[];
  segments: string | undefined;
}

export async function readFiles({ files, switches, segments: file }: Files): Promise<Contents> {
  const all = [...files, ...switches, ...(file === undefined ? [] : [file])];
  if (all.indexOf("-") !== all.lastIndexOf("-")) throw new UsageError('"-" can be given only once');
  const read = await Promise.all(files.map(readExport));
  const known = [...read.map((one) => one.switches), ...(await Promise.all(switches.map(readSwitches)))];
  const exported = read.map((one) => one.exported);
  const segments = new Map([...read.flatMap((one) => [...one.segments]), ...(await readSegments(file))]);
  requireSegments(exported, segments);
  return { exports: withSwitches(exported, new Map(known.flat()), advice), segments };
}

interface Read {
  exported: UnleashExport;
  segments: Segments;
  switches: [string, boolean][];
}

/** An export, or the document that SDKs load. */
async function readExport(file: string): Promise<Read> {
  const input = await readJsonFile(file);
  const source = sourceOf(file);
  const document = parseClientDocument(input);
  if (!document) return { exported: parseExport(input, source), segments: new Map(), switches: [] };
  return {
    exported: parseExport(toExport(document), source),
    segments: toSegments(document),
    switches: switchesOfDocument(document),
  };
}
