/** The OpenAPI document: the routes with their comments, and responses recorded from the handlers. */
import { limits } from "../../lib/contract/limits.ts";
import type { Route } from "../../lib/http/route.ts";
import { version } from "../../package.json";
import { casesOf } from "./cases.ts";
import { readComments } from "./comments.ts";
import { parameters } from "./parameters.ts";
import { openRecorder, type Recorded, type Recorder } from "./record.ts";
import { toContent, toResponse } from "./responses.ts";
import { createSchemas } from "./schemas.ts";

const description = `Every error has a body of \`errorSchema\`; its \`id\` is in the log line of the request. A request without a valid key gets a 401 once its path and method match, one without the permission a 403 before its body is parsed.

A body has at most ${limits.bodyBytes / 1024} KiB, ${limits.jsonDepth} levels of nesting and no Content-Encoding. Values are not converted: the text "100" is not a number. Unknown members are refused, except in a patch operation; unknown query parameters are refused by a request that can write, and else ignored.

Responses of API Gateway itself (an unknown path, throttling) have a body of \`{ "message" }\` alone.`;

const apiKey = { type: "apiKey", in: "header", name: "Authorization", description: "Or as `Bearer {key}`." };

const comments = { ...readComments("functions/tags.ts"), ...readComments("functions/variants.ts") };

/** As it is committed. Every response in it is recorded, from handlers on this engine. */
export async function createDocument(engine: string): Promise<string> {
  const recorder = await openRecorder(engine);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of recorder.operations) {
    const operation = await documentRoute(recorder, id, route);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  recorder.close();
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Burgee",
      version,
      summary: "Tags and variants of a feature-flag service's admin API, in the formats of Unleash.",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "http://127.0.0.1:3000", description: "The local server (`npm start`)" },
      {
        url: "https://{api}.execute-api.{region}.amazonaws.com",
        description: "A deployed stage",
        variables: { api: { default: "a1b2c3d4e5" }, region: { default: "us-east-1" } },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [{ name: "Features", description: "Tags and variants of a feature." }],
    paths,
    components: { securitySchemes: { apiKey }, parameters, schemas: createSchemas() },
  };
  return `${JSON.stringify(document, contractOnly, 2)}\n`;
}

/** The first paragraph of the route's comment is the summary. */
async function documentRoute(recorder: Recorder, operationId: string, route: Route<never>) {
  const { method, path, body, query = [], headers = [] } = route;
  const [summary = "", ...paragraphs] = (comments[`routes.${operationId}`] ?? "").split("\n\n");
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = [...inPath, ...query, ...headers, ...(method === "GET" ? ["if-none-match"] : [])];
  const requests: Pick<Recorded, "name" | "body">[] = [];
  const responses: Record<string, Recorded[]> = {};
  for (const [name, request] of casesOf(route)) {
    const recorded = await recorder.record(route, name, request);
    responses[recorded.status] = [...(responses[recorded.status] ?? []), recorded];
    const isPlain = recorded.status < 300 && !request.query?.includes("dryRun");
    if (isPlain) requests.push({ name, body: request.body });
  }
  return {
    operationId,
    tags: ["Features"],
    summary: summary.replace(/\.$/, ""),
    description: [...paragraphs, requirementOf(route)].join("\n\n"),
    parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: body && {
      required: true,
      content: Object.fromEntries(body.accepts.map((mediaType) => [mediaType, toContent(requests)])),
    },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, recorded]) => [status, toResponse(status, recorded)]),
    ),
  };
}

/** Leaves out what Zod adds to a schema: the places it is read from, and that JavaScript's integers end somewhere. */
function contractOnly(key: string, value: unknown): unknown {
  const isSafeInteger = Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return isSafeInteger || key === "$id" || key === "$schema" ? undefined : value;
}

function requirementOf({ permission, path }: Route<never>): string {
  if (permission === "any") return "Requires any permission in the feature's project.";
  const place = path.includes("{environment}") ? "environment" : "feature's project";
  return `Requires the permission \`${permission}\` in the ${place}.`;
}
