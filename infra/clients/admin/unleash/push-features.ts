/** Pushes features to Unleash one by one, and notes the outcome of each. */
import * as z from "zod/mini";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { ServedFeature } from "../../../../lib/documents/format.ts";
import { withProgress } from "../../../cli/progress.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { Difference } from "../table/plan/differences.ts";
import { isOfSwitch, isOfVariants } from "./compare.ts";
import { parseAs, pathOfProject, type UnleashServer } from "./server.ts";

export interface DifferentFeature extends ServedFeature {
  differences: readonly Difference[];
  outcome: "pushed" | "failed" | "not attempted";
  message?: string | undefined;
}

/** Sets the outcomes. Ends early, and returns why, where all further features would fail alike. */
export function pushAll(
  server: UnleashServer,
  environment: string,
  different: readonly DifferentFeature[],
  show: (pushed: DifferentFeature) => void,
): Promise<string | undefined> {
  return withProgress("Pushed:", different.length, async (reach, hide) => {
    for (const one of different) {
      one.outcome = "failed";
      try {
        one.message = await pushOne(server, environment, one);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        one.message = error.message;
        return error.message;
      }
      reach();
      if (one.message !== undefined) continue;
      one.outcome = "pushed";
      hide();
      show(one);
    }
    return undefined;
  });
}

/**
 * Users get no variant that is not meant for them: off comes before the variants, on after them. Returns why the server
 * refuses a step, and which one it has taken before.
 */
async function pushOne(
  server: UnleashServer,
  environment: string,
  { name, project, enabled, variants, differences }: DifferentFeature,
): Promise<string | undefined> {
  const place = { project, feature: name, environment };
  const isSwitched = differences.some(isOfSwitch);
  const steps = [
    isSwitched && !enabled && { take: () => turn(server, place, "off"), did: "it was switched off" },
    differences.some(isOfVariants) && {
      take: () => putVariants(server, place, variants),
      did: "its variants were pushed",
    },
    isSwitched && enabled && { take: () => turn(server, place, "on"), did: "it was switched on" },
  ];
  let before = "";
  for (const step of steps) {
    if (!step) continue;
    try {
      const refusal = await step.take();
      if (refusal !== undefined) return refusal + before;
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(error.message + before) : error;
    }
    before = `; ${step.did} before`;
  }
  return undefined;
}

interface Place {
  project: string;
  feature: string;
  environment: string;
}

/** Returns why the server refuses these variants. */
async function putVariants(
  server: UnleashServer,
  place: Place,
  variants: readonly Variant[],
): Promise<string | undefined> {
  const call = { method: "PUT", path: `${environmentPath(place)}/variants`, body: variants } as const;
  const { status, text, description } = await server.write({ ...call, effect: "the variants were stored" });
  if (status !== 200) return explainRefusal(status, description);
  return hasStored(variants, text) ? undefined : "status 200, but not with the variants that were sent";
}

/** Switches the feature. Returns why the server refuses. */
async function turn(server: UnleashServer, place: Place, to: "on" | "off"): Promise<string | undefined> {
  const call = { method: "POST", path: `${environmentPath(place)}/${to}`, body: {} } as const;
  const { status, description } = await server.write({ ...call, effect: "it was switched" });
  return status === 200 ? undefined : explainRefusal(status, description);
}

function environmentPath({ project, feature, environment }: Place): string {
  const names = ["features", feature, "environments", environment].map(encodeURIComponent);
  return `${pathOfProject(project)}/${names.join("/")}`;
}

const storedSchema = z.looseObject({ variants: z.array(z.looseObject({ name: z.string() })) });

/** Unleash responds with what it has stored; a proxy in front of it may respond with a page. */
function hasStored(variants: readonly Variant[], text: string): boolean {
  const stored = parseAs(storedSchema, text)?.variants.map(({ name }) => name);
  return stored?.length === variants.length && variants.every(({ name }) => stored.includes(name));
}

function explainRefusal(status: number, description: string): string {
  if (status === 423 || description.includes("SKIP_CHANGE_REQUEST")) {
    return "change requests protect the environment: make one in Unleash, or use a token with SKIP_CHANGE_REQUEST";
  }
  if (description.includes("Environment variants deprecated")) {
    return "Unleash accepts a feature's first variants only with UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS=true";
  }
  return description;
}
