import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node'
import type { NatsSettings } from './connection.ts'

/** Problems with the files that the settings name, one line each, without their content. */
export const problemsOfNatsFiles = ({ credsFile, nkeyFile, tls }: NatsSettings): readonly string[] => {
  const problems: string[] = []
  const check = (setting: string, file: string | null, isSecret: boolean): string | null => {
    if (file === null) return null
    try {
      // A file that others may read may have been read: the rule of ssh for its keys.
      if (isSecret && (statSync(file).mode & othersMayRead) !== 0)
        problems.push(`${setting}: ${file} can be read by every user of this machine: chmod o-rwx it`)
      return readFileSync(file, 'utf8')
    } catch (error) {
      problems.push(`${setting}: ${(error as Error).message}`)
      return null
    }
  }
  const means = (setting: string, meaning: string, use: () => unknown): void => {
    try {
      use()
    } catch {
      problems.push(`${setting} does not hold ${meaning}`)
    }
  }
  const creds = check('NATS_CREDS_FILE', credsFile, true)
  const seed = check('NATS_NKEY_FILE', nkeyFile, true)
  const ca = check('NATS_CA_FILE', tls?.caFile ?? null, false)
  const cert = check('NATS_CERT_FILE', tls?.certFile ?? null, false)
  const key = check('NATS_KEY_FILE', tls?.keyFile ?? null, true)
  if (creds !== null)
    means('NATS_CREDS_FILE', 'a JWT and a seed', () => credsAuthenticator(bytesOf(creds))(nonce))
  if (seed !== null)
    means('NATS_NKEY_FILE', 'the seed of an nkey', () => nkeyAuthenticator(bytesOf(seed.trim()))(nonce))
  if (ca !== null) means('NATS_CA_FILE', 'certificates in PEM', () => new X509Certificate(ca))
  if (cert !== null && key !== null)
    means('NATS_CERT_FILE', 'a certificate in PEM for the key of NATS_KEY_FILE', () =>
      createSecureContext({ cert, key }),
    )
  return problems
}

const othersMayRead = 0o004
const nonce = 'a server sends this'
const bytesOf = (text: string): Uint8Array => Buffer.from(text)
