/**
 * Makes a self-signed certificate for this machine when it is needed: Node can read X.509 but not write it,
 * and not every machine has openssl. RFC 5280 section 4.1 has the structure.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  key: string;
  cert: string;
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const commonName = oid("550403");
const subjectAltName = oid("551d11");
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));

/** Valid for `localhost`, for a day. */
export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const name = sequence(der(0x31, sequence(commonName, text(0x0c, "localhost"))));
  const hour = 3_600_000;
  const validity = sequence(utcTime(Date.now() - hour), utcTime(Date.now() + 24 * hour));
  const alternative = sequence(text(0x82, "localhost"));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, alternative)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const lines =
    sequence(body, ecdsaWithSha256, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}

/** Encodes a tag, the length of the content, and the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

/** YYMMDDHHMMSSZ */
function utcTime(ms: number): Buffer {
  return text(0x17, `${new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`);
}
