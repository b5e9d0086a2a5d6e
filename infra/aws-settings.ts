/** Leads the AWS SDK of this process to a DynamoDB endpoint, whatever the user's settings for AWS are. */
import { devNull } from "node:os";

/** With the second variable, or its setting in a profile, the SDK would call AWS instead. */
export function useEndpoint(url: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
  });
}

/** For the embedded engine, whose calls a profile or FIPS endpoints of the user would fail. The region does not matter. */
export function forgetAwsSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (/^AWS_(?!SDK_|REGION$)/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull });
}
