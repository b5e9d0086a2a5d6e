/** Makes the stamp of a request, and finds what a retry with its idempotency key must repeat. */
import type { Caller } from "../access/permissions.ts";
import { createStamp, type Stamp } from "../features/stamp.ts";
import type { HttpRequest } from "./event.ts";
import { declaredOptions, type OptionName, type RequestOptions, type StampOptions } from "./options.ts";
import { type PathParameters, type Route, scopeParameters } from "./route.ts";

export function stampRequest(
  { id: requestId }: HttpRequest,
  { method, path }: Pick<Route<never>, "method" | "path">,
  {
    caller,
    parameters,
    options,
    body,
  }: { caller: Caller; parameters: PathParameters; options: RequestOptions; body: unknown },
): Stamp {
  const { idempotencyKey, reason, guard, ...others }: StampOptions = options;
  // Does not compile if an option of the stamp is left over.
  others satisfies Record<string, never>;
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : {
          idempotencyKey,
          // The path of a creation has no feature, so the creations of several features with one idempotency key have one
          // id. `isCreatedBy` compares it with that of one feature only.
          scope: scopeParameters.map((name) => parameters[name]),
          toRepeat: [method, path, parameters, optionsToRepeat(options), body],
        };
  return createStamp({ by: caller.name, requestId, idempotency, options: { reason, guard } });
}

/**
 * Returns the options that a retry must repeat, by name. Leaves out absent ones: otherwise a new option would refuse
 * the retries of requests that were made before it.
 */
export function optionsToRepeat(options: RequestOptions): [name: OptionName, value: unknown][] {
  return declaredOptions
    .filter(([name, { mustRepeat, absent }]) => mustRepeat && options[name] !== absent)
    .map(([name]) => [name, options[name]]);
}
