/** Measures the processor time of a patch, from a body to the lists that would be written, without I/O. */
import { createHash } from "node:crypto";
import { type Patch, patchesSchema } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { applyPatch } from "../../../lib/features/json-patch/apply.ts";
import { fromDocument } from "../../../lib/features/variant-list.ts";
import { readBody } from "../../../lib/http/body.ts";
import { type HttpRequest, readEvent } from "../../../lib/http/event.ts";
import { patch, stateWith } from "../requests.ts";
import { patchPlainly } from "./plain.ts";
import { bodyOf, type Size } from "./sizes.ts";

export interface PatchCost {
  /** Milliseconds of processor time for one patch. */
  ms: number;
  /** The hash of the resulting lists. */
  digest: string;
}

export interface PatchJob {
  way: "burgee" | "plain";
  sizes: Size[];
  /** How long each patch is repeated, after a warm-up of the same length. */
  ms: number;
}

const job: PatchJob = JSON.parse(process.argv[2] ?? "");
console.log(JSON.stringify(job.sizes.map(measure)));

function measure(size: Size): PatchCost {
  const [feature] = stateWith(size).features;
  const environments = Object.values(feature?.environments ?? {}).map(({ variants }) => variants);
  const request = readEvent(patch("checkout", []));
  const body = bodyOf(size);
  const run =
    job.way === "plain"
      ? () => patchPlainly(body, environments as Parameters<typeof patchPlainly>[1])
      : () => patchSafely({ ...request, body }, environments);
  const digest = createHash("sha256").update(JSON.stringify(run())).digest("hex");
  repeat(run);
  return { ms: repeat(run), digest };
}

/** Does what the variants function does, except for reads and writes. */
function patchSafely(request: HttpRequest, environments: readonly Variant[][]): Variant[][] {
  const operations = readBody(request, { accepts: ["application/json"], schema: patchesSchema }) as Patch;
  return environments.map((list) => fromDocument(applyPatch(list, operations), "index"));
}

function repeat(run: () => unknown): number {
  const usage = process.cpuUsage();
  const until = performance.now() + job.ms;
  let count = 0;
  do {
    run();
    count++;
  } while (performance.now() < until);
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000 / count;
}
