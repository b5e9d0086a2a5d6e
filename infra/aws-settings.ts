/** Points the AWS SDK of this process at a DynamoDB endpoint, regardless of the user's AWS settings, and recognises AWS's endpoints. */
import { devNull } from "node:os";

/** The second variable overrides a user's setting that would make the SDK ignore the first and call AWS. */
export function useEndpoint(url: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
  });
}

/** For the embedded engine: a user's profile or FIPS setting would make its calls fail. The region does not matter. */
export function forgetAwsSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (/^AWS_(?!SDK_|REGION$)/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull });
}

/** In any partition. */
export function isOfAws(endpoint: string): boolean {
  return /(?:\.amazonaws\.(?:com(?:\.cn)?|eu)|\.api\.aws)$/.test(new URL(endpoint).hostname);
}
