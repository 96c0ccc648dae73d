import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { DataDirectoryRefusal } from './manifest.ts'

/** The key that seals endpoint secrets: 32 bytes as base64 in a file of its own; null if there is none. */
export const readMasterKey = (file: string): Buffer | null => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new DataDirectoryRefusal(`the master key cannot be read: ${(error as Error).message}`)
  }
  const key = Buffer.from(text, 'base64')
  if (key.length !== keyBytes)
    throw new DataDirectoryRefusal(`${file} is not a master key: ${keyBytes} bytes in base64`)
  return key
}

/** Creates a key file. Throws `DataDirectoryRefusal` if it exists or cannot be written. */
export const makeMasterKey = (file: string): Buffer => {
  const key = randomBytes(keyBytes)
  try {
    writeFileSync(file, masterKeyText(key), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new DataDirectoryRefusal(`no master key can be made: ${(error as Error).message}`)
  }
  return key
}

/** The content of a key file. */
export const masterKeyText = (key: Buffer): string => `${key.toString('base64')}\n`

/**
 * Distinguishes keys without revealing them: 256 random bits cannot be guessed from their HMAC. `id` is the id of
 * the data directory whose secrets the key seals.
 */
export const masterKeyCheck = (key: Buffer, id: string): string =>
  createHmac('sha256', key).update(`payments ${id}`).digest('base64url')

const keyBytes = 32
