/** Names the operator of the command line, as recorded with each change. */
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { createStamp, type Stamp } from "../../lib/features/stores.ts";
import type { Session } from "../../lib/store/session.ts";

export interface OperatorSession extends Session {
  operator: string;
}

/** Returns a function that makes the stamps of one command, each with its own id. */
export function createStamps({ operator: by }: OperatorSession): () => Stamp {
  const request = randomUUID();
  return () => createStamp({ by, request });
}

/** A short name, never an access key or an ARN. Asking AWS for its own would need another permission and package. */
export function operatorName({ isOnAws }: { isOnAws: boolean }): string {
  const { AWS_ROLE_SESSION_NAME: role, AWS_PROFILE: profile } = process.env;
  return (isOnAws && (role || profile)) || localUser();
}

/** In a container the user may have a number but no name. */
function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
