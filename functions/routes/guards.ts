/** The route that trips a guard, in the function `variants`. */
import { missingPermissions } from "../../lib/access/permissions.ts";
import { ValidationError } from "../../lib/contract/errors.ts";
import { urlFriendlyNameSchema } from "../../lib/contract/names.ts";
import { summarise, validate } from "../../lib/contract/validate.ts";
import { type GuardStore, tripGuard } from "../../lib/features/guards/trip-guard.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { adviceForDryRun } from "../../lib/http/response.ts";
import { type Answer, type RouteRequest, route } from "../../lib/http/route.ts";
import type { ProjectParameters } from "./paths.ts";

interface GuardParameters extends ProjectParameters {
  /** The name of the environment; case-sensitive. */
  environment: string;
  /** The name of the guard, as in `Burgee-Guard`; case-sensitive. */
  guard: string;
}

export const routes = {
  /**
   * Trip a guard: undo the changes that are under it in one environment.
   *
   * Undoes the newest change in effect of each feature, if the change was made under this guard and its time has not
   * ended. If a later change is in effect, nothing is written, and the feature is reported as `changed since`. An
   * undone change is no longer under the guard, so another trip writes nothing, and no older change is undone.
   *
   * If a feature fails, the trip continues with the next one; the response is then the error of the first by name that
   * failed, whose `details` have the outcome of each feature. If the table fails, or write conflicts last until the
   * deadline, the trip ends with 503, and another one continues. A dry run lists a feature that would fail and is a 200,
   * unless the table fails.
   *
   * The body is ignored, because webhooks send their own.
   */
  tripGuard: route({
    method: "POST",
    path: "/api/admin/projects/{projectId}/environments/{environment}/guards/{guard}/trip",
    permission: "TRIP_GUARD",
    options: optionNamesOf("trip"),
    ignoresStampId: true,
    async run({
      parameters,
      caller,
      options,
      stamp,
      store,
      clock,
    }: RouteRequest<GuardStore, GuardParameters, unknown, OptionNameOf<"trip">>): Promise<Answer> {
      const { projectId: project, environment, guard: guardName } = parameters;
      requireGuardName(guardName);
      const { dryRun, reason, idempotencyKey: _, ...others } = options;
      // Does not compile if an option is left over.
      others satisfies Record<string, never>;
      const undoReason = reason === undefined ? `guard ${guardName}` : `guard ${guardName}: ${reason}`;
      const trip = {
        project,
        environment,
        guardName,
        caller,
        stamp: { ...stamp, reason: undoReason },
        dryRun,
      };
      const features = await tripGuard(store, clock, trip);
      const outcomes = features.map(({ feature, outcome }) => [feature, outcome] as const);
      const required = [{ permission: "TRIP_GUARD", environment }] as const;
      return {
        status: 200,
        body: { version: 1, features, missingPermissions: missingPermissions(caller, project, required) },
        adviceIfTooLarge: dryRun ? adviceForDryRun : "list the changes of a feature to see its undo",
        log: { features: Object.fromEntries(outcomes) },
      };
    },
  }),
};

/** A webhook with another name, such as that of an alarm with a blank, would never undo anything. */
function requireGuardName(name: string): void {
  const { issues } = validate(urlFriendlyNameSchema, name);
  if (issues) throw new ValidationError(`"${name}" is no name of a guard: ${summarise(issues)}`);
}
