/** Sends a request that writes once, however often it is retried. */
import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import { note } from "../../../cli/output.ts";
import {
  type Api,
  type ApiRequest,
  isOnlyResponseMissing,
  request,
  responseOfApplied,
} from "../../api/api.ts";

/** Returns no body if the write is stored and only its response is missing. Then it notes that for the user. */
export function sendWrite<Body extends z.ZodMiniType>(api: Api, schema: Body, wanted: ApiRequest) {
  const headers = { ...wanted.headers, "idempotency-key": randomUUID() };
  return request(api, schema, { ...wanted, headers }).catch((error) => {
    if (!isOnlyResponseMissing(error)) throw error;
    note(error.message);
    return responseOfApplied(error);
  });
}
