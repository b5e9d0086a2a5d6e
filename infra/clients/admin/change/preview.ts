/** Reads and formats what a dry run shows of a change: what it writes in each environment, and who moves. */
import * as z from "zod/mini";
import { afterColon } from "../../../../lib/contract/errors.ts";
import { patchedFeatureSchema } from "../../../../lib/contract/responses/features.ts";
import { differenceOperationSchema, movesMember } from "../../../../lib/contract/responses/members.ts";
import { listOf } from "../../../cli/did-you-mean.ts";
import { exitCodes } from "../../../cli/explain.ts";
import { namingOptions } from "../../../cli/options.ts";
import { note, print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { formatIn } from "../words/difference.ts";
import { movesSentence } from "../words/moves-sentence.ts";

/** The part of a preview that commands print. It is the same for every change. */
export const previewSchema = z.object({
  environments: z.array(
    z.object({
      environment: z.string(),
      outcome: z.string(),
      difference: z.exactOptional(z.array(differenceOperationSchema)),
      moves: movesMember,
      hint: z.exactOptional(z.string()),
      message: z.exactOptional(z.string()),
    }),
  ),
  missingPermissions: patchedFeatureSchema.shape.missingPermissions,
});

export type Preview = z.output<typeof previewSchema>;
type EnvironmentPreview = Preview["environments"][number];

export function isChanged({ outcome }: EnvironmentPreview): boolean {
  return outcome === "would patch";
}

export function formatChanged({ environments }: Preview): string {
  return environments.filter(isChanged).map(formatOne).join("\n");
}

/** Formats what is written in an environment, which users move, and the hint. */
function formatOne(preview: EnvironmentPreview): string {
  const { environment, moves, hint } = preview;
  const lines = [
    `    ${formatIn(preview)}`,
    ...(moves ? [`        ${movesSentence(environment, moves)}`] : []),
    ...(hint === undefined ? [] : [`        ${printable(hint)}`]),
  ];
  return lines.join("\n");
}

/** Prints a dry run. A key that only reads may make it: the response says what the key lacks for the change. */
export function printDryRun(
  title: string,
  { body, raw }: { body: Preview; raw: unknown },
  { json }: { json?: boolean },
): void {
  const { environments, missingPermissions = [] } = body;
  const failed = environments.find(({ outcome }) => outcome === "failed");
  if (json) {
    printJson(raw);
    if (failed) process.exitCode = exitCodes.failure;
    return;
  }
  if (failed) {
    // The change itself would write nothing: it is strict.
    const outcomes = environments.map(
      ({ environment, outcome }) =>
        `\n    ${environment}: ${outcome === "failed" ? outcome : "not attempted"}`,
    );
    throw new Refusal(
      `environment "${failed.environment}": ${namingOptions(failed.message ?? "")}${outcomes.join("")}`,
    );
  }
  print(`Dry run, nothing was changed. ${title}:\n${formatChanged(body) || "    nothing to do"}`);
  noteHintsOfUnchanged(body);
  noteMissing(missingPermissions);
}

/** Those of changed environments are printed with the change. */
export function noteHintsOfUnchanged({ environments }: Preview): void {
  for (const one of environments)
    if (one.hint !== undefined && !isChanged(one))
      note(`${printable(one.environment)}: ${afterColon(one.hint)}`);
}

type Missing = NonNullable<Preview["missingPermissions"]>;

export function noteMissing(missing: Missing): void {
  if (missing.length > 0)
    note(`This API key may preview the change, but not make it: it lacks ${missingInWords(missing)}`);
}

export function permissionRefusal(missing: Missing, cause?: unknown): Refusal {
  return new Refusal(`The API key lacks the permission ${missingInWords(missing)}`, { cause });
}

/** `UPDATE_FEATURE_ENVIRONMENT in development and production`; a permission for the whole project names no environment. */
function missingInWords(missing: Missing): string {
  const names = [...new Set(missing.map(({ permission }) => permission))];
  const lacking = names.map((name) => {
    const environments = missing.flatMap(({ permission, environment }) =>
      permission === name && environment !== undefined ? environment : [],
    );
    return environments.length === 0 ? name : `${name} in ${listOf(environments)}`;
  });
  return printable(`${lacking.join(", and ")}; "key create --help" explains permissions`);
}
