/**
 * dynalite closes what it reads from with `return`, which the iterators of its database do not have: each query and
 * each scan leaves one open for good, with the memory that it has, and with data that is overwritten since.
 */
import { createRequire } from "node:module";

interface Iterators {
  AbstractKeyIterator: IteratorClass;
  AbstractValueIterator: IteratorClass;
}

interface IteratorClass {
  prototype: { close(): Promise<void>; return?(): Promise<void> };
}

export function closeIterators(): void {
  // Those of dynalite, wherever they are installed.
  const requireAsDynalite = createRequire(createRequire(import.meta.url).resolve("dynalite"));
  const { AbstractKeyIterator, AbstractValueIterator }: Iterators = requireAsDynalite("abstract-level");
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
    prototype.return ??= function () {
      return this.close();
    };
  }
}
