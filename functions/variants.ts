/**
 * The function `variants`: creates, reads, changes, deletes and restores a feature, and trips guards. It is named after
 * its first routes, which patch variants; the stack's resources, roles and logs have the name too.
 */
// biome-ignore-all assist/source/organizeImports: esbuild keeps this order, and the bundle compresses 0.4 KiB smaller
import type { FeatureStore } from "../lib/features/stores.ts";
import { prepareInvocations } from "../lib/service.ts";
import { routes as strategies } from "./routes/strategies.ts";
import { routes as changes } from "./routes/changes.ts";
import { routes as guards } from "./routes/guards.ts";
import { createFeatureStore } from "../lib/store/feature-store.ts";
import { routes as features } from "./routes/features.ts";
import { createHandler, type OpenHandler } from "../lib/http/handler.ts";
import { routes as variants } from "./routes/variants.ts";
import { routes as environments } from "./routes/environments.ts";
import { routes as switches } from "./routes/switches.ts";

export const routes = {
  ...features,
  ...environments,
  ...strategies,
  ...switches,
  ...variants,
  ...changes,
  ...guards,
};

export const open: OpenHandler = (settings, options) =>
  createHandler<FeatureStore>(
    prepareInvocations(createFeatureStore, settings, options),
    Object.values(routes),
  );
