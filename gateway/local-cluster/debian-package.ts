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
import { basename, join } from 'node:path'

/**
 * Takes programs out of a package of Debian into a folder of the project. It comes from the mirror that the system takes
 * its own packages from, by an apt that knows only that: the system's packages stay as they are.
 */
export const takeFromDebian = (
  debianPackage: string,
  options: {
    /** A suite, or the code name of a release. */
    readonly suite: string
    /** Their paths in the package. */
    readonly programs: readonly string[]
    readonly folder: string
  },
): void => {
  const { suite, programs, folder } = options
  mkdirSync(folder, { recursive: true })
  const apt = mkdtempSync(join(folder, 'apt-'))
  try {
    for (const name of ['state/lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, name), { recursive: true })
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
    const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : ''
    writeFileSync(join(apt, 'sources.list'), `deb ${signed}${mirror(folder)} ${suite} main\n`)
    const settings = [
      `Dir::Etc::SourceList=${join(apt, 'sources.list')}`,
      'Dir::Etc::SourceParts=/dev/null',
      `Dir::State=${join(apt, 'state')}`,
      `Dir::Cache=${join(apt, 'cache')}`,
      // Without it apt would give up root's rights, and could not read its own folder below a home.
      'APT::Sandbox::User=root',
    ].flatMap((setting) => ['-o', setting])
    run('apt-get', [...settings, 'update'], apt)
    run('apt-get', [...settings, 'download', debianPackage], apt)
    const [file] = readdirSync(apt).filter((name) => name.endsWith('.deb'))
    run('dpkg-deb', ['-x', file!, 'package'], apt)
    for (const program of programs) {
      const path = join(folder, basename(program))
      copyFileSync(join(apt, 'package', program), path)
      chmodSync(path, 0o755)
    }
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}

const mirror = (folder: string): string => {
  const targets = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], folder).split('\n')
  const found = targets.find((uri) => /\/debian\/?$/.test(uri.trim()))
  if (found === undefined) throw new Error('apt knows no mirror of Debian')
  return found.trim()
}

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
