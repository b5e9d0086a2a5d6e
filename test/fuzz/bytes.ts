/** Serialises a request for the wire, and damages its bytes. */
import fc from "fast-check";
import type { Request } from "./requests.ts";

export interface Damage {
  /** Bytes that replace the request, if there are any. */
  instead: Uint8Array | undefined;
  /** At an offset, a number of bytes is replaced by these. */
  cuts: readonly (readonly [at: number, length: number, piece: string])[];
  /** The client disconnects after this many bytes. */
  hangUpAfter: number | undefined;
}

const pieces = [
  "",
  "\r\n",
  "\n",
  "\r",
  "\r\n\r\n",
  "\u0000",
  " ",
  "\t",
  ":",
  "%",
  "\u00ff\u00fe",
  "HTTP/1.0",
  "HTTP/9.9",
  "\r\nTransfer-Encoding: chunked\r\n",
  "\r\nTransfer-Encoding: gzip, chunked\r\n",
  "\r\nContent-Length: 0\r\n",
  "\r\nContent-Length: -1\r\n",
  "\r\nContent-Length: 99999999999999999999\r\n",
  "\r\nExpect: 100-continue\r\n",
  "\r\nUpgrade: websocket\r\nConnection: upgrade\r\n",
  "\r\n folded: header\r\n",
  "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "CONNECT a:1 HTTP/1.1\r\n",
];

/** Mostly small: the request line and the headers, where damage has the most effect. */
const offset = fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 400 }), fc.nat());
const length = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 60 }));
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary-ascii", maxLength: 4 }));

export const damage: fc.Arbitrary<Damage> = fc.record({
  instead: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  ),
  cuts: fc.array(fc.tuple(offset, length, piece), { maxLength: 3 }),
  hangUpAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: offset }),
});

export function bytesOf(request: Request, { instead, cuts }: Damage): Buffer {
  return cuts.reduce(
    (bytes, [at, taken, put]) => {
      const from = at % (bytes.length + 1);
      return Buffer.concat([
        bytes.subarray(0, from),
        Buffer.from(put, "latin1"),
        bytes.subarray(from + taken),
      ]);
    },
    Buffer.from(instead ?? written(request)),
  );
}

function written({ method, path, headers, body }: Request): Buffer {
  const all = {
    host: "localhost",
    ...headers,
    connection: "close",
    "content-length": Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
}
