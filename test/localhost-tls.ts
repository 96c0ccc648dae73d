import { join, resolve } from 'node:path'

const fixtures = resolve(import.meta.dirname, '../../test/fixtures')

/** Certificates for localhost that sign themselves: of an elliptic curve, and of RSA. */
export const localhostTls = {
  certFile: join(fixtures, 'localhost.cert.pem'),
  keyFile: join(fixtures, 'localhost.key.pem'),
}
export const localhostRsaTls = {
  certFile: join(fixtures, 'localhost-rsa.cert.pem'),
  keyFile: join(fixtures, 'localhost-rsa.key.pem'),
}
