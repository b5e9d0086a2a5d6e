/** Points the AWS SDK of this process at a DynamoDB endpoint, recognises those of AWS, and explains its credentials. */
import { devNull } from "node:os";

/** Points the SDK at the endpoint. A local engine accepts any credentials, but the SDK needs some, and those of a profile may have expired. */
export function useEndpoint(url: string): void {
  const { env } = process;
  // The others override a user's settings that would make the SDK ignore the first and call AWS, or refuse it.
  Object.assign(env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
    AWS_USE_FIPS_ENDPOINT: "false",
    AWS_USE_DUALSTACK_ENDPOINT: "false",
  });
  if (isOfAws(url)) return;
  env.AWS_REGION ||= "eu-central-1";
  delete env.AWS_PROFILE;
  env.AWS_ACCESS_KEY_ID ||= "local";
  env.AWS_SECRET_ACCESS_KEY ||= "local";
}

/** Forgets a user's profile, which would make calls of the embedded engine fail. The region does not matter. */
export function forgetAwsSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (/^AWS_(?!SDK_|REGION$)/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull });
}

export function isOfAws(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return /\.((amazonaws|amazonwebservices)\.(com|com\.cn|eu)|api\.aws)\.?$/.test(hostname);
}

/** Explains the reason that the SDK gives, such as an expired session. Returns undefined if there are no credentials at all. */
export function explainCredentials(reason: string): string | undefined {
  const { AWS_PROFILE: profile } = process.env;
  if (profile) return `the AWS profile "${profile}" (AWS_PROFILE) gives no credentials: ${reason}`;
  const areNone = reason === "Could not load credentials from any providers";
  return areNone ? undefined : `AWS gives no credentials: ${reason}`;
}
