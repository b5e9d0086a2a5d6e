/** Opens the API for a command: over HTTP with an API key, or by the handlers on the table that the operator may reach. */
import { note } from "../../../cli/output.ts";
import { UsageError } from "../../../cli/refusal.ts";
import type { Api } from "../../api/api.ts";
import { openHttpApi } from "../../api/http.ts";
import { keyIssue } from "../../api/key-issue.ts";
import { type PlaceOptions, withTable } from "../table/with-table.ts";
import { openOperatorApi } from "./operator-api.ts";

export async function withApi<Result>(
  options: PlaceOptions,
  use: (api: Api) => Promise<Result>,
): Promise<Result> {
  const { url } = options;
  if (url !== undefined) return use(openHttpApi({ url, key: keyOfService(), onLostResponse: noteRetry }));
  return withTable(options, { mayCreate: false }, (session) => use(openOperatorApi(session)));
}

function noteRetry(why: string): void {
  note(`burgee: ${why}; retrying`);
}

/** Reads the API key from the environment: other users of the machine can see the command line. */
function keyOfService(): string {
  const { BURGEE_KEY: key = "" } = process.env;
  if (key === "") throw new UsageError("--url needs an API key in the environment variable BURGEE_KEY");
  const issue = keyIssue(key);
  if (issue) throw new UsageError(`BURGEE_KEY: ${issue}`);
  return key;
}
