/** Names the operator of the command line, as recorded with each change. */
import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { createStamp, type Stamp } from "../../lib/features/stores.ts";
import type { Session } from "../../lib/store/session.ts";
import { readAccessKeyId } from "../store/open-table.ts";

export interface OperatorSession extends Session {
  /** Named by the AWS credentials in use, or by the user of this machine where the data is local. */
  operator(): Promise<string>;
}

/** Returns a function that makes the stamps of one command, each with its own id. */
export async function createStamps(session: OperatorSession): Promise<() => Stamp> {
  const by = `the command line (${await session.operator()})`;
  const request = randomUUID();
  return () => createStamp({ by, request });
}

export function localUser(): string {
  return `${userName()} on ${hostname()}`;
}

/** CloudTrail and IAM map the access key to its user; asking STS would need another permission and package. */
export async function awsIdentity(): Promise<string> {
  const { AWS_PROFILE: profile, AWS_ROLE_SESSION_NAME: role } = process.env;
  const details = [
    `AWS access key ${await readAccessKeyId()}`,
    ...(profile ? [`profile ${profile}`] : []),
    ...(role ? [`role session ${role}`] : []),
  ];
  return details.join(", ");
}

/** In a container the user may have a number but no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
