/** Reads the names of the AWS profiles that this machine has. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export function readAwsProfiles(): { profiles: string[]; files: string[] } {
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
