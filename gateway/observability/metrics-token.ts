import { readFileSync } from 'node:fs'
import { isToken, type Settings } from '../base/settings.ts'

type Source = Settings['metricsToken']

/** The current token. A file is read each time, so that it can be replaced while the service runs. */
export const metricsTokenOf = (source: Source): string | null => {
  if (source === null) return null
  if ('token' in source) return source.token
  try {
    return tokenIn(source.file)
  } catch {
    return null
  }
}

/** The token that a file holds; null if it holds none. Throws if it cannot be read. */
export const tokenIn = (file: string): string | null => {
  const text = readFileSync(file, 'utf8').trim()
  return isToken(text) ? text : null
}
