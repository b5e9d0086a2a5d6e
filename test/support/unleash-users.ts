/** A thousand users, and what `unleash-client` gives each of them by a document. */
import { createRequire } from "node:module";
import { times } from "./patching.ts";

const require = createRequire(import.meta.url);
const { default: Client } = require("unleash-client/lib/client");
const { defaultStrategies } = require("unleash-client/lib/strategy");

export const users = times(1000, (index) => ({
  userId: `user-${index}`,
  sessionId: `s${index * 7}`,
  country: ["de", "fr", "us"][index % 3],
  email: `user${index}@${index % 2 ? "a" : "b"}.example`,
  age: String(15 + (index % 7)),
  version: [`1.2.${index % 5}`, `1.${index % 12}.0`, "v1.2.3", "1"][index % 4],
  ip: `10.${index % 256}.0.1`,
}));

export type User = (typeof users)[number];

export interface Document {
  features: { name: string }[];
  segments?: { id: string }[];
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK has no types for its parts.
const clients = new WeakMap<Document, any>();

function clientOf(document: Document) {
  const client = clients.get(document) ?? createClient(document);
  clients.set(document, client);
  return client;
}

function createClient({ features, segments }: Document) {
  const toggles = new Map(features.map((feature) => [feature.name, feature]));
  const getSegment = (id: string) => segments?.find((one) => one.id === id);
  return new Client({ getToggle: (name: string) => toggles.get(name), getSegment }, defaultStrategies);
}

/** Whether the feature is on for the user, and with which variant. */
export function evaluate(document: Document, name: string, { userId, sessionId, ...properties }: User) {
  const client = clientOf(document);
  const context = { userId, sessionId, properties, featureToggle: name };
  const variant = client.getVariant(name, context);
  // The same as `isEnabled`, which would evaluate the feature again.
  return [variant.feature_enabled, variant];
}

/** Users who get another by the second document. */
export function differing(one: Document, other: Document, name: string): User[] {
  return users.filter(
    (user) => JSON.stringify(evaluate(one, name, user)) !== JSON.stringify(evaluate(other, name, user)),
  );
}
