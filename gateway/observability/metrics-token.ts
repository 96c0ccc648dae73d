import { readFileSync } from 'node:fs'
import { assert } from '../../engine/shared/assert.ts'
import type { SettingFiles } from '../../persistence/base/setting-files.ts'
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

/** Tries the file that holds the token, if one does. */
export const tryMetricsToken = (files: SettingFiles, source: NonNullable<Source>): void => {
  if ('token' in source) return
  const { file } = source
  if (files.read('METRICS_TOKEN_FILE', file, 'SECRET') === null) return
  files.attempt('METRICS_TOKEN_FILE', `a token: it needs ${aToken}`, () => assert(tokenIn(file), 'a token'))
}

const tokenIn = (file: string): string | null => {
  const text = readFileSync(file, 'utf8').trim()
  return isToken(text) ? text : null
}
