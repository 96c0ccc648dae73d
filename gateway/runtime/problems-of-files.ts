import { createSecureContext } from 'node:tls'
import { assert } from '../../engine/shared/assert.ts'
import { assertPair, openSettingFiles, type SettingFiles } from '../../persistence/base/setting-files.ts'
import { tryNatsFiles } from '../../persistence/nats/files.ts'
import { aToken, type Settings } from '../base/settings.ts'
import { tokenIn } from '../observability/metrics-token.ts'

/**
 * Reads and tries every file that a setting names, before anything is written; one line for each problem. The master key is the data
 * directory's own to read, because its first start makes it.
 */
export const problemsOfFiles = ({ tls, inbox, nats, metricsToken }: Settings): readonly string[] => {
  const files = openSettingFiles()
  tryPair(files, 'TLS', tls)
  tryPair(files, 'PROVIDER_TLS', inbox)
  if (nats !== null) tryNatsFiles(files, nats)
  if (metricsToken !== null && 'file' in metricsToken) {
    const { file } = metricsToken
    if (files.read('METRICS_TOKEN_FILE', file, 'SECRET') !== null)
      files.attempt('METRICS_TOKEN_FILE', `a token: it needs ${aToken}`, () =>
        assert(tokenIn(file), 'a token'),
      )
  }
  return files.problems
}

const tryPair = (
  files: SettingFiles,
  prefix: 'TLS' | 'PROVIDER_TLS',
  pair: { readonly certFile: string; readonly keyFile: string } | null,
): void => {
  const [certName, keyName] = [`${prefix}_CERT_FILE`, `${prefix}_KEY_FILE`]
  const before = files.problems.length
  const cert = files.read(certName, pair?.certFile ?? null, 'PUBLIC')
  // Secrets that Kubernetes mounts can be read by all users of their container.
  const key = files.read(keyName, pair?.keyFile ?? null, 'PUBLIC')
  if (key !== null) files.attempt(keyName, 'a private key in PEM', () => createSecureContext({ key }))
  if (cert !== null) files.attempt(certName, 'certificates in PEM', () => createSecureContext({ cert }))
  if (cert !== null && key !== null && files.problems.length === before)
    files.attempt(certName, `a certificate for the key of ${keyName}`, () => assertPair(cert, key))
}
