/** What tests of guards begin with: a feature, requests that change it under a guard, and trips of the guard. */
import { vi } from "vitest";
import type { Burgee, Request, Response } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

export const production = { environment: "production" };
export const byName = { query: "by=name" };
export const addRed = [add("/red", { weight: 0 })];

/** Adds a feature that is on, with the variant blue in each of two environments. */
export function addBlueFeature(burgee: Burgee): Promise<string> {
  const environments = { development: [variant("blue")], production: [variant("blue")] };
  return addFeature(burgee, { environments, enabled: true });
}

interface TripOptions extends Partial<Request> {
  environment?: string;
  query?: string;
}

/** Makes the requests of a test file, whose tests have a feature each. */
export function requestsFor(burgee: Burgee, feature: () => string) {
  return {
    /** Adds red in production, under the guard "errors" unless the options have other headers. */
    patch: (options = {}) =>
      burgee.patchVariants(feature(), addRed, { ...byName, ...production, ...guarded(), ...options }),
    trip: (guard = "errors", { environment = "production", query = "", ...rest }: TripOptions = {}) =>
      burgee.send({ method: "POST", path: tripPath(guard, environment, query), ...rest }),
    /** Returns what a trip says of the feature, without the features of other tests. */
    featuresOf: ({ json }: Pick<Response, "json">) =>
      json.features.filter((one: { feature: string }) => one.feature === feature()),
    /** Returns the names of the variants in production. */
    names: () => burgee.names(feature(), "production"),
  };
}

export const tripPath = (guard: string, environment: string, query = "") =>
  `/api/admin/projects/default/environments/${environment}/guards/${guard}/trip${query}`;
export const guarded = (guard = "errors") => ({ headers: { "burgee-guard": guard } });
export const idOf = ({ headers }: Pick<Response, "headers">) => headers["burgee-change"] ?? "";

/** Sets the clock forward. The test file restores it. */
export function afterMinutes<Result>(minutes: number, then: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
  return then();
}
