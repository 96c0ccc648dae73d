import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The identity of a journal: a text in a file beside its data, with which its seals begin. A journal copied into
 * the place of another one brings its own.
 */
export const identityAt = (path: string): string => {
  const file = join(path, identityFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

/** Names a new journal. */
export const writeIdentity = (path: string, identity: string): void =>
  writeFileSync(join(path, identityFile), `${identity}\n`, { mode: 0o600, flush: true })

export const identityFile = 'identity'
