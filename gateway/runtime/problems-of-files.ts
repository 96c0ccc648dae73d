import { createSecureContext } from 'node:tls'
import { assert } from '../../engine/shared/assert.ts'
import { assertPair, openSettingFiles } from '../../persistence/base/setting-files.ts'
import { tryNatsFiles } from '../../persistence/nats/files.ts'
import { aToken, type Settings } from '../base/settings.ts'
import { tokenIn } from '../observability/metrics-token.ts'

/**
 * Reads and tries every file that a setting names, before anything is written; one line for each problem. The master key is the data
 * directory's own to read, because its first start makes it.
 */
export const problemsOfFiles = ({ tls, nats, metricsToken }: Settings): readonly string[] => {
  const files = openSettingFiles()
  const cert = files.read('TLS_CERT_FILE', tls?.certFile ?? null, 'PUBLIC')
  // Secrets that Kubernetes mounts can be read by all users of their container.
  const key = files.read('TLS_KEY_FILE', tls?.keyFile ?? null, 'PUBLIC')
  if (key !== null) files.attempt('TLS_KEY_FILE', 'a private key in PEM', () => createSecureContext({ key }))
  if (cert !== null)
    files.attempt('TLS_CERT_FILE', 'certificates in PEM', () => createSecureContext({ cert }))
  if (cert !== null && key !== null && files.problems.length === 0)
    files.attempt('TLS_CERT_FILE', 'a certificate for the key of TLS_KEY_FILE', () => assertPair(cert, key))
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
