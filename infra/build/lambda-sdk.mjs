/**
 * Leaves out of the functions what a Lambda never uses of the AWS SDK, which is most of what it loads at a cold start.
 * test/infra/lambda-sdk.test.ts compares what the client sends and answers with and without it.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Stub
 * @property {string} file  In node_modules.
 * @property {string} why  A Lambda never needs it.
 * @property {string | ((source: string) => string)} code  What stands in its place.
 */

/** The errors that reads, queries and updates of items can end in; all others would come under their base class. */
const itemErrors = [
  "ConditionalCheckFailedException",
  "InternalServerError",
  "InvalidEndpointException",
  "ItemCollectionSizeLimitExceededException",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "ReplicatedWriteConflictException",
  "RequestLimitExceeded",
  "ResourceNotFoundException",
  "ThrottlingException",
  "TransactionConflictException",
];

const core = "@smithy/core/dist-es/submodules";

/** @type {Stub[]} */
const stubs = [
  {
    file: "@aws-sdk/credential-provider-node/dist-es/index.js",
    why: "Lambda puts the role's credentials in the environment of every Node function (SnapStart, which would not, has no Node): no profile, no SSO, no metadata server.",
    code: 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  },
  {
    file: `${core}/config/node-config-provider/fromSharedConfigFiles.js`,
    why: "There is no ~/.aws in a Lambda: settings come from the environment, or are the defaults.",
    code: `import { ProviderError } from "../property-provider/ProviderError";
      export const fromSharedConfigFiles = () => async () => { throw new ProviderError("there are no files"); };`,
  },
  {
    file: `${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    why: "Lambda puts the region in the environment, and has no metadata server to ask for it.",
    code: "export const getInstanceMetadataRegion = async () => undefined;",
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js",
    why: "The client is given no logger. The one that does nothing is told every value of every call all the same, each looked up in its schema: a good part of what a warm call costs.",
    code: `export { getLoggerPlugin, none as loggerMiddleware, none as loggerMiddlewareOptions };
      const none = undefined, getLoggerPlugin = () => ({ applyToStack() {} });`,
  },
  {
    file: `${core}/client/smithy-client/schemaLogFilter.js`,
    why: "It hides secrets from that logger.",
    code: "export const schemaLogFilter = (_schema, data) => data;",
  },
  {
    file: `${core}/protocols/HttpBindingNormalizedSchema.js`,
    why: "DynamoDB's protocol binds nothing to HTTP: one path, one method, all of a call in its body.",
    code: `export class HttpBindingNormalizedSchema {}
      export const getHttpOperationBindings = () => [];`,
  },
  {
    file: `${core}/event-streams/index.js`,
    why: "No call to DynamoDB streams events.",
    code: "export const EventStreamSerde = undefined, eventStreamSerdeProvider = undefined;",
  },
  {
    file: "@smithy/signature-v4/dist-es/HeaderFormatter.js",
    why: "It writes the headers of a signed event in a stream, and there is none.",
    code: "export class HeaderFormatter {}",
  },
  {
    file: "@aws-sdk/middleware-endpoint-discovery/dist-es/index.js",
    why: "No command of this client installs its middleware; DynamoDB's endpoint follows from the region.",
    code: `export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
      export const resolveEndpointDiscoveryConfig = (config) => config;`,
  },
  {
    file: `${core}/retry/util-retry/StandardRetryStrategy.js`,
    why: "lib/store/retry.ts decides when a call is repeated, and the client is given it.",
    code: "export class StandardRetryStrategy {}",
  },
  {
    file: `${core}/retry/util-retry/AdaptiveRetryStrategy.js`,
    why: "As the standard one.",
    code: "export class AdaptiveRetryStrategy {}",
  },
  {
    file: `${core}/checksum/sha256/Sha256Js.js`,
    why: "Lambda's Node has OpenSSL; this is for one that was built without.",
    code: "export class Sha256Js {}",
  },
  {
    file: `${core}/endpoints/middleware-endpoint/service-customizations/index.js`,
    why: "It is about the names of S3's buckets.",
    code: "export const resolveParamsForS3 = async () => {};",
  },
  {
    file: "@aws-sdk/lib-dynamodb/dist-es/pagination/index.js",
    why: "lib/store goes from page to page itself.",
    code: "export {};",
  },
  {
    file: "@aws-sdk/client-dynamodb/package.json",
    why: "Of it the client tells its version, and nothing else.",
    code: (source) => `export default { version: ${JSON.stringify(JSON.parse(source).version)} };`,
  },
  {
    file: "@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js",
    why: "Backups, exports and tables have errors of their own, and no function touches any of those.",
    code: (source) =>
      source.replaceAll(
        /^export var (\w+)\$ = [^;]*;\nn0_registry\.registerError\(\1\$, \1\);$/gm,
        (declaration, name) => (itemErrors.includes(name) ? declaration : ""),
      ),
  },
];

/** A stub whose file is not there, or changes nothing, is no longer what this SDK needs: then the build fails. */
export const lambdaSdk = {
  name: "lambda-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const used = new Set();
    for (const stub of stubs) {
      const filter = new RegExp(`/node_modules/${stub.file.replaceAll(".", "\\.")}$`);
      build.onLoad({ filter }, ({ path: file }) => {
        const source = readFileSync(file, "utf8");
        const contents = typeof stub.code === "string" ? stub.code : stub.code(source);
        if (contents !== source) used.add(stub);
        return { contents, loader: "js", resolveDir: path.dirname(file) };
      });
    }
    build.onEnd(() => {
      const unused = stubs.filter((stub) => !used.has(stub));
      return { errors: unused.map(({ file }) => ({ text: `nothing to leave out in ${file}` })) };
    });
  },
};
