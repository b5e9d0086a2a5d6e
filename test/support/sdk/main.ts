/**
 * Makes every call in this process, which is bundled with and without lambda-sdk.mjs, and prints what was sent and
 * what was returned.
 */
import "./steady.ts";
import { type ApiKeyItem, apiKeyTableKey } from "../../../lib/store/items.ts";
import { getItem } from "../../../lib/store/read-items.ts";
import { createTagStore } from "../../../lib/store/tag-store.ts";
import { createVariantStore } from "../../../lib/store/variant-store.ts";
import { openTable } from "../table.ts";
import { calls, environments, plainCall, type Stores, usual } from "./calls.ts";
import { startScripted } from "./scripted.ts";

export interface Report {
  requests: string[];
  result: unknown;
}

const scripted = await startScripted();
const reports: Record<string, Report> = {};
for (const [name, script] of Object.entries(calls)) reports[name] = await report(usual, script);
for (const [name, variables] of Object.entries(environments)) {
  reports[name] = await report({ ...usual, ...variables }, plainCall);
}
scripted.close();
console.log(JSON.stringify(reports));

async function report(
  variables: Record<string, string>,
  { call, answers }: typeof plainCall,
): Promise<Report> {
  process.env = { ...variables };
  scripted.answers.splice(0, Number.POSITIVE_INFINITY, ...answers);
  const result = await call(open()).then((value) => ({ value }), describe);
  return { requests: scripted.requests.splice(0), result };
}

function open(): Stores {
  const session = openTable("burgee");
  return {
    features: { ...createTagStore(session), ...createVariantStore(session) },
    readApiKey: (hash) => getItem<ApiKeyItem>(session, apiKeyTableKey(hash)),
  };
}

/** All of an error except its stack and its raw response. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: error };
  const { $response, ...members } = { ...error } as Record<string, unknown>;
  return { name: error.name, message: error.message, members, cause: error.cause && describe(error.cause) };
}
