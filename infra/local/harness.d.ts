/**
 * The types of "burgee/local". They refer to no other file and no package, so that a project needs none of Burgee's.
 * test/infra/local/harness.test.ts compares them with the schemas.
 */

export interface Variant {
  name: string;
  weight: number;
  weightType?: "variable" | "fix" | undefined;
  stickiness?: string | undefined;
  payload?: { type: string; value: string };
  overrides?: readonly { contextName: string; values: readonly string[] }[];
}

export interface Permission {
  permission:
    | "ADMIN"
    | "READ"
    | "CLIENT"
    | "CREATE_FEATURE"
    | "DELETE_FEATURE"
    | "UPDATE_FEATURE"
    | "UPDATE_FEATURE_VARIANTS"
    | "UPDATE_FEATURE_ENVIRONMENT_VARIANTS"
    | "UPDATE_FEATURE_ENVIRONMENT"
    | "UPDATE_FEATURE_STRATEGY"
    | "TRIP_GUARD";
  project?: string;
  environment?: string;
}

export interface Strategy {
  id: string;
  name: string;
  title?: string;
  disabled?: boolean;
  sortOrder?: number | undefined;
  parameters?: Readonly<Record<string, string>> | undefined;
  constraints?:
    | readonly {
        contextName: string;
        operator:
          | "IN"
          | "NOT_IN"
          | "STR_STARTS_WITH"
          | "STR_ENDS_WITH"
          | "STR_CONTAINS"
          | "IN_CIDR"
          | "NUM_EQ"
          | "NUM_GT"
          | "NUM_GTE"
          | "NUM_LT"
          | "NUM_LTE"
          | "DATE_AFTER"
          | "DATE_BEFORE"
          | "SEMVER_EQ"
          | "SEMVER_GT"
          | "SEMVER_GTE"
          | "SEMVER_LT"
          | "SEMVER_LTE"
          | "REGEX";
        values?: readonly string[];
        value?: string;
        inverted?: boolean;
        caseInsensitive?: boolean;
      }[]
    | undefined;
  variants?: readonly Omit<Variant, "overrides">[] | undefined;
}

export interface EnvironmentEntry {
  /** Whether the feature is on. If absent, it is off. */
  enabled?: boolean;
  variants?: readonly Variant[];
  /** The strategies that decide for whom the feature is on; empty or absent if it is on for everyone. */
  strategies?: readonly Strategy[];
  /** The parent features, which SDKs of Unleash evaluate. */
  dependencies?: readonly { feature: string; enabled?: boolean; variants?: readonly string[] }[];
  /** flagd's own logic. */
  targeting?: {
    targeting?: Readonly<Record<string, unknown>>;
    defaultVariant?: string | null;
    variants?: Readonly<Record<string, unknown>>;
  } | null;
}

/** The content of the service, in the form of a state file. */
export interface State<KeyName extends string = string> {
  projects?: readonly { id: string; environments: readonly string[] }[] | undefined;
  features?:
    | readonly {
        name: string;
        project: string;
        tags?: readonly { type: string; value: string }[] | undefined;
        /** If absent, the feature has all environments of its project, off and without variants. */
        environments?: Readonly<Record<string, EnvironmentEntry>>;
      }[]
    | undefined;
  apiKeys?:
    | readonly {
        name: KeyName;
        /** The value of the header `Authorization`: 16 characters or more. */
        key?: string;
        /** The SHA-256 of a key, in hexadecimal digits, where the key itself is not known. */
        keyHash?: string;
        permissions?: readonly Permission[];
        expiresAt?: string;
        retiredAt?: string;
        disabled?: boolean;
      }[]
    | undefined;
}

export interface StartOptions<KeyName extends string = string> {
  /** The initial content; the demo's state if absent. */
  state?: State<KeyName>;
  /** Receives each line that the functions log. */
  log?: (line: string) => void;
}

/** What a function returns to API Gateway (payload format 2.0). */
export interface FunctionResult {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

export interface Burgee<KeyName extends string = string> {
  /** The address of the service, without a trailing slash. */
  url: string;
  /**
   * The API keys of the initial state, by name. In the demo's state, `demo` may do everything, and `reader` may only
   * read.
   */
  keys: Record<KeyName, string>;
  /** The address of its DynamoDB engine, for `burgee --endpoint`. */
  engine: string;
  /** Calls a function with an event of API Gateway (payload format 2.0), without HTTP. */
  invoke(name: "tags" | "variants" | "read", event: object): Promise<FunctionResult>;
  /** Waits for open requests, then replaces all that is stored by this state, or else by the initial one. */
  reset(state?: State): Promise<void>;
  /** Ends the service and deletes its data. Further calls have no effect. */
  stop(): Promise<void>;
}

/**
 * Starts the service with a DynamoDB engine of its own, in a thread of its own, on a free port. Two services share
 * nothing, in one process or in two. A service ends with its process at the latest, and does not keep the process alive.
 */
export declare function startBurgee<const KeyName extends string = "demo" | "reader">(
  options?: StartOptions<KeyName>,
): Promise<Burgee<KeyName>>;
