/** Asks AWS whose credentials a command uses. The call needs no permission. */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { HttpRequest } from "@smithy/core/protocols";

/** Bounds the delay of a command in a network that cannot reach the service. */
const timeoutMs = 2000;

/**
 * Returns the name of a user or of a role's session; undefined if AWS does not respond with one, or if it is generated.
 */
export async function readCallerName({ config }: Pick<DynamoDBClient, "config">) {
  try {
    const [, name] = /<Arn>[^<]*\/([^<]+)<\/Arn>/.exec(await getCallerIdentity(config)) ?? [];
    return /^(botocore-session|aws-sdk-js|aws-go-sdk|aws-cli)-/.test(name ?? "") ? undefined : name;
  } catch {
    return undefined;
  }
}

async function getCallerIdentity(config: DynamoDBClient["config"]): Promise<string> {
  const region = await config.region();
  const suffix = region.startsWith("cn-") ? ".cn" : "";
  const { AWS_ENDPOINT_URL_STS: own, AWS_ENDPOINT_URL: any } = process.env;
  const url = new URL(own || any || `https://sts.${region}.amazonaws.com${suffix}`);
  const request = new HttpRequest({
    method: "POST",
    protocol: url.protocol,
    hostname: url.hostname,
    path: "/",
    headers: { host: url.host, "content-type": "application/x-www-form-urlencoded" },
    body: "Action=GetCallerIdentity&Version=2011-06-15",
  });
  const signer = await config.signer({
    name: "sigv4",
    signingName: "sts",
    signingRegion: region,
    properties: {},
  });
  const { method, headers, body } = await signer.sign(request);
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
  return response.ok ? response.text() : "";
}
