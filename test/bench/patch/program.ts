/** Measures the processor time of a patch, from a body to the lists that would be written, without I/O. */
import { jsonPatchSchema, type Patch } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { applyPatch } from "../../../lib/features/patch/apply-patch.ts";
import { normaliseVariants, parsePatchedVariants } from "../../../lib/features/patch/variant-list.ts";
import { parseEvent } from "../../../lib/http/event.ts";
import { parseBody } from "../../../lib/http/parse-request.ts";
import { patch, stateWith } from "../requests.ts";
import { patchPlainly } from "./plain.ts";

/** How long the patch is repeated, after a warm-up of the same length. */
const repeatMs = 1000;
const variants = 100;
const [feature] = stateWith({ variants, environments: 10 }).features;
const environments = Object.values(feature?.environments ?? {}).map(({ variants = [] }) => variants);
const event = patch(
  "checkout",
  Array.from({ length: 50 }, (_, index) => operation(index)),
);
const request = parseEvent(event);
const run =
  process.argv[2] === "plain"
    ? () => patchPlainly(event.body, environments as Parameters<typeof patchPlainly>[1])
    : () => patchSafely(environments);

repeat();
console.log(JSON.stringify({ ms: repeat(), lists: run() }));

/** Mixes the operations that change something; as many variants are added as are removed. */
function operation(index: number): object {
  const path = `/${index % variants}`;
  const color = { type: "json", value: JSON.stringify({ color: "blue", index }) };
  const overrides = [{ contextName: "userId", values: ["1", "2"] }];
  const kinds = [
    { op: "replace", path: `${path}/stickiness`, value: `by-${index}` },
    { op: "add", path: `${path}/payload`, value: color },
    { op: "add", path: "/-", value: { name: `added-${index}`, weight: 1, overrides } },
    { op: "move", from: `/${variants}`, path },
    { op: "remove", path },
  ];
  return kinds[index % kinds.length] ?? {};
}

/** Does what the variants function does, except for reads and writes. */
function patchSafely(environments: readonly Variant[][]): Variant[][] {
  const operations = parseBody(request, { accepts: ["application/json"], schema: jsonPatchSchema }) as Patch;
  return environments.map((list) =>
    normaliseVariants(parsePatchedVariants(applyPatch(list, operations).patched, "index")),
  );
}

/** Returns the milliseconds of processor time of one run. */
function repeat(): number {
  const usage = process.cpuUsage();
  const until = performance.now() + repeatMs;
  let count = 0;
  do {
    run();
    count++;
  } while (performance.now() < until);
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000 / count;
}
