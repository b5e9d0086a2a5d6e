/** Answers requests that read or change environments of a feature: the same for each route, and for each kind of edit. */
import { changeFeature, previewChange } from "../../lib/features/change/change-feature.ts";
import { reportChange, reportPreview } from "../../lib/features/change/report.ts";
import { etagOfEnvironments } from "../../lib/features/etags.ts";
import type { ChangeRequest, Edit, EnvironmentStates } from "../../lib/features/model.ts";
import type { EnvironmentReader, EnvironmentStore } from "../../lib/features/stores.ts";
import {
  declaredOptions,
  type OptionNameOf,
  type PlanOptions,
  type RequestOptions,
  type StampOptions,
} from "../../lib/http/options.ts";
import { adviceForDryRun } from "../../lib/http/response.ts";
import type { Answer, RouteRequest } from "../../lib/http/route.ts";
import type { FeatureParameters } from "./paths.ts";

/** Reads the environments that the path names, and returns what `show` makes of them, with their ETag. */
export async function answerRead(
  {
    parameters: { projectId: project, featureName: feature, environment },
    store,
  }: RouteRequest<EnvironmentReader, FeatureParameters, unknown>,
  show: (states: EnvironmentStates) => object | undefined | Promise<object>,
): Promise<Answer & { etag: string }> {
  const target = { project, feature, environment };
  const states = await store.readEnvironments(target);
  return { status: 200, etag: etagOfEnvironments(target, states), body: await show(states) };
}

/** The options that decide how a change is made. The stamp has the others. */
type ChangeOptions = Pick<RequestOptions, Exclude<OptionNameOf<"change" | "undo">, keyof StampOptions>>;

/** Changes the feature, or previews the change in a dry run. */
export async function answerChange(
  {
    parameters: { projectId: project, featureName: feature, environment },
    caller,
    options,
    stamp,
    store,
    clock,
  }: RouteRequest<EnvironmentStore, FeatureParameters, unknown, keyof ChangeOptions>,
  edit: Edit,
): Promise<Answer> {
  const { dryRun, prefersStrict, mostMoves, ifMatch, ifNoneMatch, ...others }: ChangeOptions = options;
  // Does not compile if an option is left over.
  others satisfies Record<string, never>;
  const request: ChangeRequest = {
    target: { project, feature, environment },
    caller,
    edit,
    stamp,
    mostMoves,
    // Without `Prefer`, a dry run shows the environments after the first failure too.
    isStrict: dryRun ? prefersStrict : edit.kind === "undo" || hasStrictOption(options),
    preconditions: { ifMatch, ifNoneMatch },
  };
  if (dryRun) return answerPreview(store, request);
  const result = await changeFeature(store, clock, request);
  return { status: 200, etag: result.etag, ...reportChange(result, edit) };
}

function hasStrictOption(options: PlanOptions & Partial<RequestOptions>): boolean {
  return declaredOptions.some(([name, { makesStrict, absent }]) => makesStrict && options[name] !== absent);
}

async function answerPreview(reader: EnvironmentReader, request: ChangeRequest): Promise<Answer> {
  const { outcomes, missingPermissions, etag } = await previewChange(reader, request);
  const report = reportPreview(outcomes, request.edit);
  return {
    status: 200,
    etag,
    ...report,
    body: { ...report.body, missingPermissions },
    adviceIfTooLarge: request.target.environment === undefined ? undefined : adviceForDryRun,
  };
}
