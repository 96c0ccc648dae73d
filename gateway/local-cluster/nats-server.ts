import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

/** Older ones lose acknowledged writes in a cluster (see the README, Cluster). */
const versionMin = [2, 12] as const
const folder = resolve(import.meta.dirname, '../../../.nats')
const installed = join(folder, 'nats-server')

/**
 * A nats-server that is safe: the one of NATS_SERVER_BIN, the one in PATH, or one that is taken from Debian's newest
 * package into an ignored folder of the project. Debian 12 and 13 have older ones; the system's packages stay as they are.
 */
export const natsServer = (): string => {
  const found = findNatsServer()
  if (found !== null) return found
  install(installed)
  const version = versionOf(installed)
  if (!isSafe(version))
    throw new Error(`the newest nats-server of Debian is ${version?.join('.')}, and too old`)
  return installed
}

/** One that is there already; null where there is none. */
export const findNatsServer = (): string | null =>
  [process.env.NATS_SERVER_BIN, 'nats-server', installed].find(
    (path) => path !== undefined && isSafe(versionOf(path)),
  ) ?? null

const versionOf = (path: string): readonly number[] | null => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return major === undefined ? null : [Number(major), Number(minor)]
}

const isSafe = (version: readonly number[] | null): boolean =>
  version !== null &&
  (version[0]! > versionMin[0] || (version[0] === versionMin[0] && version[1]! >= versionMin[1]))

/** From the mirror that the system takes its own packages from, with an apt that knows only that. */
const install = (path: string): void => {
  mkdirSync(folder, { recursive: true })
  const apt = mkdtempSync(join(folder, 'apt-'))
  try {
    for (const name of ['state/lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, name), { recursive: true })
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
    const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : ''
    writeFileSync(join(apt, 'sources.list'), `deb ${signed}${mirror()} unstable main\n`)
    const options = [
      `Dir::Etc::SourceList=${join(apt, 'sources.list')}`,
      'Dir::Etc::SourceParts=/dev/null',
      `Dir::State=${join(apt, 'state')}`,
      `Dir::Cache=${join(apt, 'cache')}`,
      // Without it apt would give up root's rights, and could not read its own folder below a home.
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option])
    run('apt-get', [...options, 'update'], apt)
    run('apt-get', [...options, 'download', 'nats-server'], apt)
    const [file] = readdirSync(apt).filter((name) => name.endsWith('.deb'))
    run('dpkg-deb', ['-x', file!, 'package'], apt)
    copyFileSync(join(apt, 'package/usr/sbin/nats-server'), path)
    chmodSync(path, 0o755)
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}

const mirror = (): string => {
  const targets = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], folder).split('\n')
  const found = targets.find((uri) => /\/debian\/?$/.test(uri.trim()))
  if (found === undefined) throw new Error('apt knows no mirror of Debian: set NATS_SERVER_BIN')
  return found.trim()
}

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
