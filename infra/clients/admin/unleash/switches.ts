/** Reads which features are on in Unleash. Exports do not say it: those of Unleash 6 have every feature as on. */
import * as z from "zod/mini";
import { readJsonFile, sourceOf } from "../../../cli/json-file.ts";
import { andMore } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { type ClientDocument, parseClientDocument } from "./client-document.ts";
import { type UnleashExport, unarchivedNames } from "./export.ts";

/** Whether each feature is on, by the text that `switchOf` makes of its name and an environment. */
export type Switches = ReadonlyMap<string, boolean>;

const switchOf = (feature: string, environment: string) => JSON.stringify([feature, environment]);

/** The response of `GET /api/admin/projects/{projectId}/features` of Unleash. */
export const featureListSchema = z.looseObject({
  features: z.array(
    z.looseObject({
      name: z.string(),
      environments: z.array(
        z.looseObject({ name: z.string(), enabled: z.boolean(), sortOrder: z._default(z.number(), 0) }),
      ),
    }),
  ),
});

export type FeatureList = z.infer<typeof featureListSchema>;

export function switchesOfList({ features }: FeatureList): [string, boolean][] {
  return features.flatMap((feature) =>
    feature.environments.map(({ name, enabled }): [string, boolean] => [
      switchOf(feature.name, name),
      enabled,
    ]),
  );
}

export function switchesOfDocument({ features, query }: ClientDocument): [string, boolean][] {
  return features.map(({ name, enabled }) => [switchOf(name, query.environment), enabled]);
}

/** A list of features, or the document that SDKs load. */
export async function readSwitches(file: string): Promise<[string, boolean][]> {
  const input = await readJsonFile(file);
  const document = parseClientDocument(input);
  if (document) return switchesOfDocument(document);
  const { success, data } = featureListSchema.safeParse(input);
  if (success) return switchesOfList(data);
  throw new Refusal(
    `${sourceOf(file)} does not say which features are on: it is neither a response of GET /api/admin/projects/{projectId}/features nor a document of SDKs`,
  );
}

/** Refuses features of which it is not known whether they are on; `advice` says how that can be known. */
export function withSwitches(
  exports: readonly UnleashExport[],
  switches: Switches,
  advice: string,
): UnleashExport[] {
  const names = unarchivedNames(exports);
  const unknown: string[] = [];
  const known = exports.map(({ featureEnvironments, ...rest }) => ({
    ...rest,
    featureEnvironments: featureEnvironments.map((one) => {
      const enabled = switches.get(switchOf(one.featureName, one.environment));
      if (enabled === undefined && names.has(one.featureName))
        unknown.push(printable(`${one.featureName} in ${one.environment}`));
      return { ...one, enabled };
    }),
  }));
  if (unknown.length === 0) return known;
  throw new Refusal(`it is not known which features are on: ${advice}\n${andMore(unknown, 20, "  ")}`);
}
