/** Converts features to flag definitions of flagd: https://flagd.dev/reference/flag-definitions */
import { toFlag } from "./flagd-flag.ts";
import type { Format } from "./format.ts";

export const flagd: Format = (features, { environment }, omissions) => {
  const flags = features.flatMap((feature) => {
    const flag = toFlag(feature, omissions);
    return flag ? [[feature.name, flag] as const] : [];
  });
  return {
    $schema: "https://flagd.dev/schema/v0/flags.json",
    metadata: { environment },
    flags: Object.fromEntries(flags),
  };
};
