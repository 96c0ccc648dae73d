import { readFileSync, statSync } from 'node:fs'
import { aToken, isToken, type Settings } from '../base/settings.ts'

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

/** Why the service cannot start, without revealing any of the file's content. */
export const problemsOfMetricsToken = (source: Source): readonly string[] => {
  if (source === null || 'token' in source) return []
  const { file } = source
  try {
    if ((statSync(file).mode & othersMayRead) !== 0)
      return [`METRICS_TOKEN_FILE: ${file} can be read by every user of this machine: chmod o-rwx it`]
    return tokenIn(file) === null ? [`METRICS_TOKEN_FILE does not hold a token: it needs ${aToken}`] : []
  } catch (error) {
    return [`METRICS_TOKEN_FILE: ${(error as Error).message}`]
  }
}

const othersMayRead = 0o004

const tokenIn = (file: string): string | null => {
  const text = readFileSync(file, 'utf8').trim()
  return isToken(text) ? text : null
}
