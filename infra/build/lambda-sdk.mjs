/**
 * Leaves the parts of the AWS SDK that a Lambda never uses out of the bundles: most of what a cold start would load.
 * test/infra/lambda-sdk.test.ts compares what the client sends and returns with and without them.
 */
import path from "node:path";

/**
 * @typedef {object} Stub
 * @property {string} file  In node_modules.
 * @property {string} why  Why a Lambda never needs it.
 * @property {string} code  The replacement of the whole module.
 */

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
    why: "The client is given no logger. Even its no-op logger receives every value of every call, each looked up in its schema: a good part of the cost of a warm call.",
    code: `export { getLoggerPlugin, none as loggerMiddleware, none as loggerMiddlewareOptions };
      const none = undefined, getLoggerPlugin = () => ({ applyToStack() {} });`,
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_0Protocol.js",
    why: "lib/store/client.ts passes its own protocol to the client.",
    code: "export class AwsJson1_0Protocol {}",
  },
  {
    file: "@aws-sdk/dynamodb-codec/dist-es/index.js",
    why: "The codec of the SDK's protocol.",
    code: "export class DynamoDBJsonCodec2 {}",
  },
  {
    file: "@smithy/signature-v4/dist-es/HeaderFormatter.js",
    why: "It writes headers of signed event streams, which item calls do not use.",
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
    why: "lib/store/client.ts passes its own retry strategy to the client.",
    code: "export class StandardRetryStrategy {}",
  },
  {
    file: `${core}/retry/util-retry/AdaptiveRetryStrategy.js`,
    why: "As for the standard strategy.",
    code: "export class AdaptiveRetryStrategy {}",
  },
  {
    file: `${core}/checksum/sha256/Sha256Js.js`,
    why: "Lambda's Node has OpenSSL; this is for builds without it.",
    code: "export class Sha256Js {}",
  },
  {
    file: `${core}/retry/middleware-retry/parseRetryAfterHeader.js`,
    why: "lib/store/session.ts retries, and does not read this hint.",
    code: `export { none as parseRetryAfterHeader, none as getRetryAfterHint };
      const none = () => undefined;`,
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js",
    why: "The deployment sets the version of Node; a warning in the log would change nothing.",
    code: "export const state = {}, emitWarningIfUnsupportedVersion = () => {};",
  },
  {
    file: "@aws-sdk/lib-dynamodb/dist-es/pagination/index.js",
    why: "lib/store paginates itself.",
    code: "export {};",
  },
];

/** Fails the build if a stub replaces nothing: it no longer fits this SDK. */
export const lambdaSdk = {
  name: "lambda-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const used = new Set();
    for (const { file, code } of stubs) {
      const filter = new RegExp(`/node_modules/${file.replaceAll(".", "\\.")}$`);
      build.onLoad({ filter }, (found) => {
        used.add(file);
        return { contents: code, loader: "js", resolveDir: path.dirname(found.path) };
      });
    }
    build.onEnd(() => {
      const unused = stubs.filter(({ file }) => !used.has(file));
      return { errors: unused.map(({ file }) => ({ text: `nothing to leave out in ${file}` })) };
    });
  },
};
