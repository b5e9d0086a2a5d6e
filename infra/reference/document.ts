/** The whole OpenAPI document. */
import { limits } from "../../lib/contract/limits.ts";
import { version } from "../../package.json";
import type { Operation } from "./operation.ts";
import { parameters } from "./parameters.ts";
import { createSchemas } from "./schemas.ts";
import { listTags } from "./tags/list.ts";
import { updateTags } from "./tags/update.ts";
import { patchEnvironmentsFeatureVariants } from "./variants/patch-environment.ts";
import { patchFeatureVariants } from "./variants/patch-feature.ts";
import { getEnvironmentFeatureVariants, getFeatureVariants } from "./variants/read.ts";

export interface Server {
  url: string;
  description?: string;
  variables?: Readonly<Record<string, { default: string; description: string }>>;
}

const description = `Every error has a body of \`errorSchema\`, and its \`id\` stands in the log line of the request. A caller without a valid key gets a 401 before anything else is looked at; one without the permission a 403 before the body is.

A body may have ${limits.bodyBytes / 1024} KiB and nest ${limits.jsonDepth} levels deep. Nothing in it is converted: the text "100" is no number. Unknown members are refused, except in a patch operation.

What API Gateway refuses by itself (a path of no route, throttling) has a body of \`{ "message" }\` alone.`;

const servers: Server[] = [
  { url: "http://127.0.0.1:3000", description: "What `npm start` runs" },
  {
    url: "https://{api}.execute-api.{region}.amazonaws.com",
    description: "What is deployed",
    variables: {
      api: { default: "a1b2c3d4e5", description: "The id of the HTTP API" },
      region: { default: "eu-central-1", description: "The region that it is in" },
    },
  },
];

const feature = "/api/admin/projects/{projectId}/features/{featureName}";

/** By path, then by method. */
const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  "/api/admin/features/{featureName}/tags": { get: listTags, put: updateTags },
  [`${feature}/variants`]: { get: getFeatureVariants, patch: patchFeatureVariants },
  [`${feature}/environments/{environment}/variants`]: {
    get: getEnvironmentFeatureVariants,
    patch: patchEnvironmentsFeatureVariants,
  },
};

export function createDocument() {
  return {
    openapi: "3.1.1",
    info: {
      title: "Burgee",
      version,
      summary:
        "Tags and variants of a feature-flag service's admin API, in the shapes that Unleash made familiar.",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers,
    security: [{ apiKey: [] }],
    tags: [{ name: "Features", description: "Tags and variants of a feature." }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "The API key as it is; `Bearer` before it is accepted too.",
        },
      },
      parameters,
      schemas: createSchemas(),
    },
  };
}

/** As it is committed. */
export function render(): string {
  return `${JSON.stringify(createDocument(), null, 2)}\n`;
}
