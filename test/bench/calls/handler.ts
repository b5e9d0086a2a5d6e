/** Loads the built functions into this process, as a sandbox does. */
import { createRequire } from "node:module";
import path from "node:path";

export type Name = "tags" | "variants";
type Handle = (event: object, timeoutMs?: number) => Promise<{ statusCode: number; body: string }>;

const require = createRequire(import.meta.url);

/** The warm handler, or a new one that has served no request. */
export function loadHandler(name: Name, { isNew = false } = {}): Handle {
  const file = path.resolve(`dist/${name}.cjs`);
  const warm = require.cache[file];
  if (isNew) delete require.cache[file];
  const { handler } = require(file);
  if (isNew && warm) require.cache[file] = warm;
  return (event, timeoutMs = 600_000) => {
    const endsAt = Date.now() + timeoutMs;
    return handler(event, { awsRequestId: "bench", getRemainingTimeInMillis: () => endsAt - Date.now() });
  };
}
