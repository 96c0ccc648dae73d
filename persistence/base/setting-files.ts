import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { assert } from '../../engine/shared/assert.ts'

/** Reads the files that settings name, and collects what is wrong with them: a line each, which names the setting and no content. */
export type SettingFiles = {
  readonly problems: readonly string[]
  /** Reads a file; null if it cannot be read. A secret may be readable by its owner and group only. */
  readonly read: (setting: string, file: string | null, kind: 'SECRET' | 'PUBLIC') => string | null
  /** Tries what the service will do with a file; `meaning` says what the setting should hold. */
  readonly attempt: (setting: string, meaning: string, use: () => unknown) => void
}

/** Opens a collection without problems. */
export const openSettingFiles = (): SettingFiles => {
  const problems: string[] = []
  return {
    problems,
    read: (setting, file, kind) => {
      if (file === null) return null
      try {
        // A file that others may read may have been read: the rule of ssh for its keys.
        if (kind === 'SECRET' && (statSync(file).mode & othersMayRead) !== 0)
          problems.push(`${setting}: ${file} can be read by every user of this machine: chmod o-rwx it`)
        return readFileSync(file, 'utf8')
      } catch (error) {
        problems.push(`${setting}: ${(error as Error).message}`)
        return null
      }
    },
    attempt: (setting, meaning, use) => {
      try {
        use()
      } catch {
        problems.push(`${setting} does not hold ${meaning}`)
      }
    },
  }
}

/** Throws if a certificate chain is not for a private key, both in PEM. A secure context takes them both where their kinds differ. */
export const assertPair = (cert: string, key: string): void => {
  assert(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)), 'the certificate is for the key')
}

const othersMayRead = 0o004
