/** Explains why AWS credentials cannot be loaded, from the AWS profiles that this machine has. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { didYouMean } from "./terminal/nearest.ts";

/** `reason` is the SDK's, such as an expired session. Undefined if there are no credentials that could be loaded. */
export function explainCredentials(reason: string): string | undefined {
  const { AWS_PROFILE: profile } = process.env;
  if (profile) {
    return (
      missingProfile(profile) ?? `the AWS profile "${profile}" (AWS_PROFILE) gives no credentials: ${reason}`
    );
  }
  const areNone = reason === "Could not load credentials from any providers";
  return areNone ? undefined : `AWS gives no credentials: ${reason}`;
}

/** Undefined if there is such a profile. */
export function missingProfile(profile: string): string | undefined {
  const { profiles, files } = readAwsProfiles();
  if (profiles.includes(profile)) return undefined;
  const hint = didYouMean(profile, profiles);
  return `there is no AWS profile "${profile}" (AWS_PROFILE) in ${files.join(" or ")}${hint}`;
}

function readAwsProfiles(): { profiles: string[]; files: string[] } {
  const { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: credentials } = process.env;
  const files = [
    config ?? path.join(homedir(), ".aws", "config"),
    credentials ?? path.join(homedir(), ".aws", "credentials"),
  ];
  return { files, profiles: files.flatMap(profilesIn) };
}

/** An unreadable file counts as one without profiles. */
function profilesIn(file: string): string[] {
  try {
    const sections = readFileSync(file, "utf8").matchAll(/^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/gm);
    return [...sections].map(([, name = ""]) => name.replaceAll(/^["']|["']$/g, ""));
  } catch {
    return [];
  }
}
