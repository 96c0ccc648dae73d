import { X509Certificate } from 'node:crypto'
import { credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node'
import { assertPair, type SettingFiles } from '../base/setting-files.ts'
import type { NatsSettings } from './connection.ts'

/** Tries the files by which the service signs in at NATS servers and trusts them. */
export const tryNatsFiles = (files: SettingFiles, { credsFile, nkeyFile, tls }: NatsSettings): void => {
  const creds = files.read('NATS_CREDS_FILE', credsFile, 'SECRET')
  const seed = files.read('NATS_NKEY_FILE', nkeyFile, 'SECRET')
  const ca = files.read('NATS_CA_FILE', tls?.caFile ?? null, 'PUBLIC')
  const cert = files.read('NATS_CERT_FILE', tls?.certFile ?? null, 'PUBLIC')
  const key = files.read('NATS_KEY_FILE', tls?.keyFile ?? null, 'SECRET')
  if (creds !== null)
    files.attempt('NATS_CREDS_FILE', 'a JWT and a seed', () => credsAuthenticator(bytesOf(creds))(nonce))
  if (seed !== null)
    files.attempt('NATS_NKEY_FILE', 'the seed of an nkey', () =>
      nkeyAuthenticator(bytesOf(seed.trim()))(nonce),
    )
  if (ca !== null) files.attempt('NATS_CA_FILE', 'certificates in PEM', () => new X509Certificate(ca))
  if (cert !== null && key !== null)
    files.attempt('NATS_CERT_FILE', 'a certificate in PEM for the key of NATS_KEY_FILE', () =>
      assertPair(cert, key),
    )
}

const nonce = 'a server sends this'
const bytesOf = (text: string): Uint8Array => Buffer.from(text)
