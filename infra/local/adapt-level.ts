/**
 * What the database beneath dynalite does otherwise here: it closes what it read from, does not wait for a thread,
 * and soon forgets what is overwritten.
 */
import { createRequire } from "node:module";

interface IteratorClass {
  prototype: { close(): Promise<void>; return?(): Promise<void> };
}

interface LevelClass {
  prototype: {
    _get(key: unknown, options: unknown): Promise<unknown>;
    _getSync(key: unknown, options: unknown): unknown;
    _open(options: object): Promise<void>;
  };
}

export function adaptLevel(): void {
  // Those of dynalite, wherever they are installed.
  const fromDynalite = createRequire(createRequire(import.meta.url).resolve("dynalite"));
  const fromLevel = createRequire(fromDynalite.resolve("level"));
  const fromClassicLevel = createRequire(fromLevel.resolve("classic-level"));
  const { AbstractKeyIterator, AbstractValueIterator } = fromClassicLevel("abstract-level");
  for (const iterator of [AbstractKeyIterator, AbstractValueIterator]) closeIterators(iterator);
  const { ClassicLevel } = fromLevel("classic-level");
  readAtOnce(ClassicLevel);
  mergeEarly(ClassicLevel);
}

/**
 * dynalite closes what it reads from with `return`, which the iterators of its database do not have: each query and
 * each scan leaves one open for good, with the memory that it has, and with data that is overwritten since.
 */
function closeIterators({ prototype }: IteratorClass): void {
  prototype.return ??= function () {
    return this.close();
  };
}

/** A read of one item takes some microseconds: the turn of another thread, of which each call has several, takes longer. */
function readAtOnce({ prototype }: LevelClass): void {
  prototype._get = async function (key, options) {
    return this._getSync(key, options);
  };
}

/**
 * Overwritten copies of an item stay until the buffer of new writes is full, and a query passes each of them: with
 * the usual 4 MB it takes three times as long after some thousand changes of one feature.
 */
function mergeEarly({ prototype }: LevelClass): void {
  const open = prototype._open;
  prototype._open = function (options) {
    return open.call(this, { ...options, writeBufferSize: 128 * 1024 });
  };
}
