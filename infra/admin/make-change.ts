/** Previews a change of a feature for a command, asks, and makes exactly what was shown. */
import { PreconditionFailed } from "../../lib/contract/errors.ts";
import { changeFeature, previewFeature } from "../../lib/features/change-feature.ts";
import type { ChangeRequest, Edit, Target } from "../../lib/features/model.ts";
import type { PlannedOutcome } from "../../lib/features/outcome.ts";
import { hasChange, toVariantsPreview } from "../../lib/features/report.ts";
import type { EnvironmentStore } from "../../lib/features/stores.ts";
import { confirmed } from "../cli/confirm.ts";
import { explain } from "../cli/explain.ts";
import { note, print, printJson } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";
import { Refusal } from "../cli/refusal.ts";
import { systemClock } from "../store/open-table.ts";
import type { CommandOptions } from "./command.ts";
import { formatIn } from "./commands/history.ts";
import type { OperatorSession } from "./place.ts";

interface Wanted {
  target: Target;
  edit: Edit;
  /** What the change does: "Undo the change ...", "Switch ... on". */
  title: string;
  /** Said where it was changed meanwhile: how to make the same change nevertheless. */
  again: string;
  /** Printed with --json. */
  toBody(outcomes: readonly PlannedOutcome[]): object;
  /** Printed where something was written. */
  done(where: string, change: string): string;
  /** Printed where there is nothing to do. */
  nothing: string;
}

export async function makeChange(
  session: OperatorSession,
  store: EnvironmentStore,
  options: CommandOptions,
  { target, edit, title, again, toBody, done, nothing }: Wanted,
): Promise<void> {
  const { dryRun, json, yes } = options;
  const request: ChangeRequest = {
    target,
    edit,
    caller: { name: session.operator, permissions: [{ permission: "ADMIN" }] },
    preconditions: {},
    strict: true,
    stamp: session.newStamp(),
  };
  const planned = await previewFeature(store, request);
  const environments = planned.outcomes.map((one) => toVariantsPreview(one, json ? "index" : "name"));
  const changed = environments.filter(({ outcome }) => outcome === "patched");
  const what = changed.map(formatPreview).join("\n");
  if (dryRun && json) return printJson({ ...toBody(planned.outcomes), environments });
  if (dryRun) return print(`Dry run, nothing was changed. ${title}:\n${what || "    nothing to do"}`);
  if (changed.length > 0) await confirmed(`${title}?`, { yes, what });
  // Only what was shown is done. Where nothing was asked, it is done as long as it can be.
  const asked = yes ? request : { ...request, preconditions: { ifMatch: [planned.etag] } };
  const { outcomes } = await changeFeature(store, systemClock, asked).catch((error) => {
    const isConcurrent = error instanceof PreconditionFailed;
    const reason = isConcurrent ? `it was changed concurrently; ${again}` : explain(error, options, again);
    throw reason === undefined ? error : new Refusal(reason);
  });
  const written = outcomes.filter((one) => hasChange([one]));
  const where = written.map(({ after }) => printable(after.environment)).join(", ");
  if (json) printJson(toBody(outcomes));
  else print(where ? done(where, request.stamp.id) : nothing);
  for (const { hint, after } of outcomes)
    if (hint !== undefined) note(`${printable(after.environment)}: ${hint}`);
}

/** What is written in an environment, and what may surprise in it. */
function formatPreview(preview: ReturnType<typeof toVariantsPreview>): string {
  const hint = preview.hint === undefined ? "" : `\n        ${printable(preview.hint)}`;
  return `    ${formatIn(preview)}${hint}`;
}
