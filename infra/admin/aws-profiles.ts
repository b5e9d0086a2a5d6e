/** Explains why AWS credentials cannot be loaded. */

/** `reason` is the SDK's, such as an expired session. Undefined if there are no credentials that could be loaded. */
export function explainCredentials(reason: string): string | undefined {
  const { AWS_PROFILE: profile } = process.env;
  if (profile) return `the AWS profile "${profile}" (AWS_PROFILE) gives no credentials: ${reason}`;
  const areNone = reason === "Could not load credentials from any providers";
  return areNone ? undefined : `AWS gives no credentials: ${reason}`;
}
