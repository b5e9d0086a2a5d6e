/** Declares the options of a request: what each is named, what parses it, what it is for, and which writes accept it. */
import {
  parseAcceptsGzip,
  parseAfter,
  parseDryRun,
  parseForm,
  parseGuard,
  parseIdempotencyKey,
  parseIfMatch,
  parseIfNoneMatch,
  parseLimit,
  parseMostMoves,
  parseReason,
  parseStrict,
  parseWith,
} from "./option-values.ts";

/** What a request writes. Each kind has one or more routes. */
type WriteKind = "change" | "undo" | "trip" | "creation" | "deletion" | "restoration" | "tag update";

export type DeclaredOption = QueryOrHeader &
  Purpose & {
    name: string;
    /**
     * The kinds of writes that accept the option. `change` and `undo` accept the same, except those of a stamp, because
     * `answerChange` reads the options of both. What a route accepts besides, it lists in its `options`.
     */
    acceptedBy: readonly WriteKind[];
    /** The value where the option is absent, or the route does not accept it. */
    absent: unknown;
    parse(text: string): unknown;
    /** Whether a retry with another value is refused as another request. */
    mustRepeat?: true;
  };

/** A write refuses each option that it does not accept, except headers that only reads use (`acceptedBy: []`). */
type QueryOrHeader =
  | { in: "query"; whyNotAccepted?: never }
  | { in: "header"; whyNotAccepted: string }
  /** A header that only reads use. */
  | { in: "header"; acceptedBy: readonly []; whyNotAccepted?: never };

/**
 * What the value is for. The compiler requires that an option which a kind of write accepts is named where it is used:
 *
 *   stamp   stored with the change: in `stampRequest` (lib/http/stamp-request.ts)
 *   plan    decides how a change, a tag update or a deletion is planned: in `answerChange` (functions/routes/answer.ts),
 *           in functions/tags.ts and in functions/routes/features.ts
 *   route   decides what the route does, such as a dry run: in the same places, and for trips in
 *           functions/routes/guards.ts
 *
 * A route that lists an option by its name reads it in the `run` beside the list.
 */
type Purpose =
  | { for: "stamp" | "route"; makesStrict?: never }
  /** `makesStrict`: a change with the option is strict: if it would fail in one environment, it writes in none. */
  | { for: "plan"; makesStrict: boolean };

const noEtag = "there is no ETag of what this request writes";

/** The OpenAPI document quotes the comments. */
export const optionDeclarations = {
  /**
   * `true` writes nothing: the response shows what the request would do. Without `Prefer: handling=strict` a 200 shows
   * even environments that would fail, and a key that may read is enough; `missingPermissions` lists what it lacks for
   * the write.
   */
  dryRun: {
    in: "query",
    name: "dryRun",
    absent: false,
    parse: parseDryRun,
    for: "route",
    acceptedBy: ["change", "undo", "trip", "tag update"],
  },
  /** Whether the variants are a list (`index`) or an object keyed by name (`name`), in a patch and in the response. */
  form: {
    in: "query",
    name: "by",
    absent: "index",
    parse: parseForm,
    for: "route",
    // Patches of variants and undos list it themselves: other changes refuse it.
    acceptedBy: [],
    mustRepeat: true,
  },
  /**
   * `handling=strict` (RFC 7240) makes a request write nothing if it would fail in any environment, as it reads them at
   * its start; its dry run has the status and the body of that failure. A write refuses other preferences.
   */
  prefersStrict: {
    in: "header",
    name: "Prefer",
    absent: false,
    parse: parseStrict,
    for: "plan",
    makesStrict: true,
    acceptedBy: ["change", "undo", "tag update"],
    whyNotAccepted: "handling=strict is for changes and tag updates",
  },
  /**
   * ETags in quotes, from a dry run of the same request, or from a `GET` of what it writes: the environment, the tags, or
   * otherwise the feature. If none is current, the response is 412 and nothing is written. A deletion compares them as it
   * begins. `*` matches any. A retry does not fail because of its own writes.
   */
  ifMatch: {
    in: "header",
    name: "If-Match",
    absent: undefined,
    parse: parseIfMatch,
    for: "plan",
    makesStrict: false,
    acceptedBy: ["change", "undo", "tag update", "deletion"],
    whyNotAccepted: noEtag,
  },
  /**
   * ETags in quotes. If one is current, a read returns 304 and a write 412, without writing. `*` matches what exists.
   */
  ifNoneMatch: {
    in: "header",
    name: "If-None-Match",
    absent: undefined,
    parse: parseIfNoneMatch,
    for: "plan",
    makesStrict: false,
    acceptedBy: ["change", "undo", "tag update", "deletion"],
    whyNotAccepted: noEtag,
  },
  /**
   * Identifies the request, for example a random UUID. After a timeout, a lost connection or a failure halfway, retry
   * with the same key: environments that the request has patched are skipped. Per name of an API key, feature,
   * and environment (or all), the key of a change is recognised for {@link limits.undoableDays} days, and another request
   * with it is a 409; that of a creation or restoration while the feature exists.
   */
  idempotencyKey: {
    in: "header",
    name: "Idempotency-Key",
    absent: undefined,
    parse: parseIdempotencyKey,
    for: "stamp",
    // It has no effect on a trip: a second one writes nothing anyway.
    acceptedBy: ["change", "undo", "trip", "creation", "restoration"],
    whyNotAccepted: "this request stores no idempotency key",
  },
  /**
   * Why the change, trip, creation, deletion or restoration is made. Up to {@link limits.reasonLength} characters, with
   * all but visible ASCII and spaces percent-encoded.
   */
  reason: {
    in: "header",
    name: "Burgee-Reason",
    absent: undefined,
    parse: parseReason,
    for: "stamp",
    acceptedBy: ["change", "undo", "trip", "creation", "deletion", "restoration"],
    whyNotAccepted: "this request stores no reason",
  },
  /**
   * The largest share of users that may move in an environment, from 0 to 1. If more would move, or the share cannot be
   * computed, the response is 409, and nothing is written, unless a concurrent change comes between two writes. With
   * several strategies, or constraints, the sum of the strategies' shares is compared, which is an upper bound.
   */
  mostMoves: {
    in: "header",
    name: "Burgee-Most-Moves",
    absent: undefined,
    parse: parseMostMoves,
    for: "plan",
    makesStrict: true,
    acceptedBy: ["change", "undo"],
    whyNotAccepted: "only changes can be limited by it",
  },
  /**
   * A guard, whose trip undoes the change, and for how long: `checkout-errors; for=30m`, from 1m to
   * {@link limits.guardSeconds}, 30m by default.
   */
  guard: {
    in: "header",
    name: "Burgee-Guard",
    absent: undefined,
    parse: parseGuard,
    for: "stamp",
    // No trip undoes an undo.
    acceptedBy: ["change"],
    whyNotAccepted: "only changes can be under a guard, no undos",
  },
  /** `environments` lists each feature with its environments, each with its switch, variants, strategies and guard. */
  with: { in: "query", name: "with", absent: undefined, parse: parseWith, for: "route", acceptedBy: [] },
  /** The most features in a page, up to {@link limits.listedFeatures}. */
  limit: { in: "query", name: "limit", absent: 100, parse: parseLimit, for: "route", acceptedBy: [] },
  /** The name of a feature: the page begins after it. */
  after: { in: "query", name: "after", absent: undefined, parse: parseAfter, for: "route", acceptedBy: [] },
  /** Whether a document may be sent compressed. */
  acceptsGzip: {
    in: "header",
    name: "Accept-Encoding",
    absent: false,
    parse: parseAcceptsGzip,
    for: "route",
    acceptedBy: [],
  },
} as const satisfies Readonly<Record<string, DeclaredOption>>;

export type OptionName = keyof typeof optionDeclarations;

export type RequestOptions = {
  [Name in OptionName]:
    | ReturnType<(typeof optionDeclarations)[Name]["parse"]>
    | (typeof optionDeclarations)[Name]["absent"];
};

type OptionsFor<Use extends DeclaredOption["for"]> = Pick<
  RequestOptions,
  {
    [Name in OptionName]: (typeof optionDeclarations)[Name] extends { for: Use } ? Name : never;
  }[OptionName]
>;

export type StampOptions = OptionsFor<"stamp">;
export type PlanOptions = OptionsFor<"plan">;

export const declaredOptions = Object.entries(optionDeclarations) as readonly (readonly [
  OptionName,
  DeclaredOption,
])[];

/** The names of the options that one of these kinds of writes accepts. */
export type OptionNameOf<Kind extends WriteKind> = {
  [Name in OptionName]: Kind extends (typeof optionDeclarations)[Name]["acceptedBy"][number] ? Name : never;
}[OptionName];

export function optionNamesOf<Kind extends WriteKind>(kind: Kind): readonly OptionNameOf<Kind>[] {
  const accepted = declaredOptions.filter(([, { acceptedBy }]) => acceptedBy.includes(kind));
  return accepted.map(([name]) => name as OptionNameOf<Kind>);
}
