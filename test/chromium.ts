import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * A Chromium that tests can drive: the one of CHROMIUM_BIN, the one in PATH, or Debian's, which is installed where there
 * is none. It needs so many of the system's libraries that it cannot be unpacked beside the project as nats-server is. The
 * headless shell comes first: it is the same engine without a window's parts, and takes half of the processor time.
 */
export const chromiumPath = (): string => {
  const found = findChromium()
  if (found !== null) return found
  run('apt-get', ['update'])
  // Older systems have no package of the shell alone.
  if (!install('chromium-headless-shell')) run('apt-get', [...installing, 'chromium'])
  const installed = findChromium()
  if (installed === null) throw new Error('Debian has no chromium here: set CHROMIUM_BIN')
  return installed
}

const findChromium = (): string | null => {
  const { CHROMIUM_BIN, PATH = '' } = process.env
  if (CHROMIUM_BIN) return CHROMIUM_BIN
  const folders = PATH.split(':')
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  return names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(existsSync) ?? null
}

const installing = ['install', '--yes', '--no-install-recommends']

const install = (name: string): boolean => ended('apt-get', [...installing, name]).status === 0

const ended = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, encoding: 'utf8' })

const run = (command: string, args: readonly string[]): void => {
  const { status, stderr, error } = ended(command, args)
  if (status !== 0)
    throw new Error(`set CHROMIUM_BIN: ${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
}
