import { join, resolve } from 'node:path'

const fixtures = resolve(import.meta.dirname, '../../test/fixtures')

/** A certificate for localhost that signs itself. */
export const localhostTls = {
  certFile: join(fixtures, 'localhost.cert.pem'),
  keyFile: join(fixtures, 'localhost.key.pem'),
}
