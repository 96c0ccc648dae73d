import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * A Chromium that tests can drive: the one of CHROMIUM_BIN, the one in PATH, or Debian's, which is installed where there
 * is none. It needs so many of the system's libraries that it cannot be unpacked beside the project as nats-server is.
 */
export const chromiumPath = (): string => {
  const found = findChromium()
  if (found !== null) return found
  run('apt-get', ['update'])
  run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'])
  const installed = findChromium()
  if (installed === null) throw new Error('Debian has no chromium here: set CHROMIUM_BIN')
  return installed
}

const findChromium = (): string | null => {
  const { CHROMIUM_BIN, PATH = '' } = process.env
  if (CHROMIUM_BIN) return CHROMIUM_BIN
  const folders = PATH.split(':')
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(existsSync) ?? null
}

const run = (command: string, args: readonly string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`set CHROMIUM_BIN: ${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
}
