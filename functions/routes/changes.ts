/** Routes that list the changes of a feature and undo one, in the function `variants`. */
import { permissionsOfAnyChange } from "../../lib/features/change/required-permissions.ts";
import { etagOfText, joinEtags } from "../../lib/features/etags.ts";
import { listChanges } from "../../lib/features/history/list-changes.ts";
import type { EnvironmentReader, EnvironmentStore } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { type Answer, type RouteRequest, route } from "../../lib/http/route.ts";
import { answerChange, answerRead } from "./answer.ts";
import { allEnvironmentsVariantsPath, environmentVariantsPath, type FeatureParameters } from "./paths.ts";
import { noBody } from "./request-bodies.ts";

interface UndoParameters extends FeatureParameters {
  /** The id of the change, from the header `burgee-change` or the list of changes. */
  changeId: string;
}

const listChangesRoute = {
  method: "GET",
  permission: "any reader",
  async run(request: RouteRequest<EnvironmentReader, FeatureParameters, unknown>): Promise<Answer> {
    const { etag, ...answer } = await answerRead(request, async (states) => {
      const { changes, hasMore } = await listChanges(request.store, request.parameters.featureName, states);
      return { version: 1, changes, ...(hasMore && { more: true }) };
    });
    // With time alone, and without a write, the list changes too: what gets too old can be undone no more.
    return { ...answer, etag: joinEtags(etag, etagOfText(JSON.stringify(answer.body))) };
  },
} as const;

const undoRoute = {
  method: "POST",
  options: [...optionNamesOf("undo"), "form"],
  body: noBody,
  async run(
    request: RouteRequest<EnvironmentStore, UndoParameters, unknown, OptionNameOf<"undo"> | "form">,
  ): Promise<Answer> {
    const { parameters, options } = request;
    return answerChange(request, { kind: "undo", changeId: parameters.changeId, form: options.form });
  },
} as const;

export const routes = {
  /**
   * List the newest changes of a feature, with what each did in every environment.
   *
   * The list has the newest {@link limits.listedChanges} of each environment, of the last {@link limits.keptDays}
   * days or more.
   */
  listFeatureChanges: route({ ...listChangesRoute, path: `${allEnvironmentsVariantsPath}/changes` }),

  /**
   * Undo a change in every environment.
   *
   * Restores, in each environment that has the change, exactly what the change has changed, as it was before. If one of
   * these environments was changed since, the response is 409 and nothing is written. A concurrent change of an
   * environment stops the undo there; environments before it stay restored. A later change that is undone itself does
   * not prevent an undo, so changes can be undone one after the other, newest first. An undo cannot be undone: to make
   * the change again, send its difference, which the list of changes has, as a new patch. After
   * {@link limits.undoableDays} days a change cannot be undone.
   */
  undoFeatureChange: route({
    ...undoRoute,
    path: `${allEnvironmentsVariantsPath}/changes/{changeId}/undo`,
    permission: permissionsOfAnyChange.inEveryEnvironment,
  }),

  /** List the newest changes of a feature in one environment. */
  listEnvironmentChanges: route({ ...listChangesRoute, path: `${environmentVariantsPath}/changes` }),

  /** Undo a change in one environment, and leave the others as they are. */
  undoEnvironmentChange: route({
    ...undoRoute,
    path: `${environmentVariantsPath}/changes/{changeId}/undo`,
    permission: permissionsOfAnyChange.inOneEnvironment,
  }),
};
