/**
 * Leaves the parts of the AWS SDK that a Lambda never uses out of the bundles: most of what a cold start would load.
 * test/infra/lambda-sdk.test.ts compares what the client sends and returns with and without them.
 */
import path from "node:path";

const core = "@smithy/core/dist-es/submodules";

/** Files in node_modules, each with the module that replaces it. */
const stubs = {
  // Lambda puts the role's credentials in the environment of every Node function (SnapStart, which would not, has no
  // Node): no profile, no SSO, no metadata server.
  "@aws-sdk/credential-provider-node/dist-es/index.js":
    'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  // There is no ~/.aws in a Lambda: settings come from the environment, or are the defaults.
  [`${core}/config/node-config-provider/fromSharedConfigFiles.js`]: `import { ProviderError } from "../property-provider/ProviderError";
    export const fromSharedConfigFiles = () => async () => { throw new ProviderError("there are no files"); };`,
  // Lambda puts the region in the environment, and has no metadata server to ask for it.
  [`${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]:
    "export const getInstanceMetadataRegion = async () => undefined;",
  // The client is given no logger. Even its no-op logger receives every value of every call, each looked up in its
  // schema: a good part of the cost of a warm call.
  "@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js": `export { getLoggerPlugin, none as loggerMiddleware, none as loggerMiddlewareOptions };
    const none = undefined, getLoggerPlugin = () => ({ applyToStack() {} });`,
  // lib/store/client.ts passes its own protocol to the client.
  "@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_0Protocol.js":
    "export class AwsJson1_0Protocol {}",
  // The codec of the SDK's protocol.
  "@aws-sdk/dynamodb-codec/dist-es/index.js": "export class DynamoDBJsonCodec2 {}",
  // It writes headers of signed event streams, which item calls do not use.
  "@smithy/signature-v4/dist-es/HeaderFormatter.js": "export class HeaderFormatter {}",
  // No command of this client installs its middleware; DynamoDB's endpoint follows from the region.
  "@aws-sdk/middleware-endpoint-discovery/dist-es/index.js": `export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
    export const resolveEndpointDiscoveryConfig = (config) => config;`,
  // lib/store/client.ts passes its own retry strategy to the client.
  [`${core}/retry/util-retry/StandardRetryStrategy.js`]: "export class StandardRetryStrategy {}",
  // As for the standard strategy.
  [`${core}/retry/util-retry/AdaptiveRetryStrategy.js`]: "export class AdaptiveRetryStrategy {}",
  // Lambda's Node has OpenSSL; this is for builds without it.
  [`${core}/checksum/sha256/Sha256Js.js`]: "export class Sha256Js {}",
  // lib/store/session.ts retries, and does not read this hint.
  [`${core}/retry/middleware-retry/parseRetryAfterHeader.js`]: `export { none as parseRetryAfterHeader, none as getRetryAfterHint };
    const none = () => undefined;`,
  // The deployment sets the version of Node; a warning in the log would change nothing.
  "@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js":
    "export const state = {}, emitWarningIfUnsupportedVersion = () => {};",
  // lib/store paginates itself.
  "@aws-sdk/lib-dynamodb/dist-es/pagination/index.js": "export {};",
};

/** Fails the build if a stub replaces nothing: it no longer fits this SDK. */
export const lambdaSdk = {
  name: "lambda-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const used = new Set();
    for (const [file, contents] of Object.entries(stubs)) {
      const filter = new RegExp(`/node_modules/${file.replaceAll(".", "\\.")}$`);
      build.onLoad({ filter }, (found) => {
        used.add(file);
        return { contents, loader: "js", resolveDir: path.dirname(found.path) };
      });
    }
    build.onEnd(() => {
      const unused = Object.keys(stubs).filter((file) => !used.has(file));
      return { errors: unused.map((file) => ({ text: `nothing to leave out in ${file}` })) };
    });
  },
};
