/**
 * Configures the SDK in a Lambda, in place of its own configurations: from the environment alone, as there are no
 * configuration files and no metadata server.
 */
import { type BinaryLike, createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { platform, release } from "node:os";
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { defaultDynamoDBHttpAuthSchemeProvider } from "@aws-sdk/client-dynamodb/dist-es/auth/httpAuthSchemeProvider.js";
import { defaultEndpointResolver } from "@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js";
import type { getRuntimeConfig as getNodeConfig } from "@aws-sdk/client-dynamodb/dist-es/runtimeConfig.js";
import { version } from "@aws-sdk/client-dynamodb/package.json";
import { NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS } from "@aws-sdk/core/account-id-endpoint";
import { AwsSdkSigV4Signer } from "@aws-sdk/core/httpAuthSchemes";
import { fromEnv } from "@aws-sdk/credential-provider-env";
import { invalidProvider } from "@smithy/core/client";
import { booleanSelector, SelectorType } from "@smithy/core/config";
import { calculateBodyLength } from "@smithy/core/serde";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import type { Checksum, Logger, SourceData } from "@smithy/types";
import { ItemProtocol } from "./protocol.ts";

/** Settings that only the SDK's own protocol uses, and two that `createClient` passes. */
type Unneeded =
  | ("protocolSettings" | "apiVersion" | "disableHostPrefix" | "streamCollector" | "urlParser")
  | ("base64Decoder" | "base64Encoder" | "utf8Decoder" | "utf8Encoder")
  | ("maxAttempts" | "retryMode");

interface LambdaConfig extends Omit<ReturnType<typeof getNodeConfig>, Unneeded | "protocol" | "logger"> {
  protocol: ItemProtocol;
  logger: Partial<Logger>;
}

/** Uses Node's hash. The SDK's own class brings an implementation along, for machines without one. */
class Sha256 implements Checksum {
  readonly #make: () => Hash | Hmac;
  #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#make = () => (secret ? createHmac("sha256", secret as BinaryLike) : createHash("sha256"));
    this.#hash = this.#make();
  }

  update(chunk: string | Uint8Array): void {
    this.#hash.update(chunk);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#make();
  }
}

export function getRuntimeConfig(config: DynamoDBClientConfig): LambdaConfig {
  const { env } = process;
  const endpoint = env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL;
  const serviceId = "DynamoDB";
  return {
    ...config,
    runtime: "node",
    serviceId,
    region: env.AWS_REGION ?? invalidProvider("Region is missing"),
    credentialDefaultProvider: () => fromEnv(),
    useFipsEndpoint: booleanSelector(env, "AWS_USE_FIPS_ENDPOINT", SelectorType.ENV) ?? false,
    useDualstackEndpoint: booleanSelector(env, "AWS_USE_DUALSTACK_ENDPOINT", SelectorType.ENV) ?? false,
    accountIdEndpointMode:
      NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS.environmentVariableSelector(env) ?? "preferred",
    ...(endpoint && { endpoint }),
    // Otherwise the client reads configuration files.
    ignoreConfiguredEndpointUrls: true,
    endpointProvider: defaultEndpointResolver,
    endpointDiscoveryEnabledProvider: async () => false,
    httpAuthSchemeProvider: defaultDynamoDBHttpAuthSchemeProvider,
    httpAuthSchemes: [
      {
        schemeId: "aws.auth#sigv4",
        identityProvider: (identities) => identities.getIdentityProvider("aws.auth#sigv4"),
        signer: new AwsSdkSigV4Signer(),
      },
    ],
    authSchemePreference: [],
    sha256: Sha256,
    requestHandler: new NodeHttpHandler(),
    defaultSocketTimeout: undefined,
    bodyLengthChecker: calculateBodyLength,
    protocol: new ItemProtocol(),
    defaultUserAgentProvider: async () => [
      ["aws-sdk-js", version],
      ["ua", "2.1"],
      [`os/${platform()}`, release()],
      ["lang/js"],
      ["md/nodejs", process.versions.node],
      [`api/${serviceId}`, version],
      [`exec-env/${env.AWS_EXECUTION_ENV}`],
    ],
    userAgentAppId: async () => undefined,
    // With the SDK's own logger, each value of a call would be looked up in its schema.
    logger: {},
    defaultsMode: async () => "legacy",
    extensions: [],
  };
}
