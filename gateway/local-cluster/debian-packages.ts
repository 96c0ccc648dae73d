import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Unpacks files or folders of Debian packages into a folder of the project; the system's packages stay as they are. Packages come
 * from the mirror that the system uses, through an apt configured for a single release. Throws if there is no apt, or no such
 * mirror.
 */
export const unpackDebianPackages = (
  release: string,
  pathsIn: Readonly<Record<string, readonly string[]>>,
  folder: string,
): void => {
  mkdirSync(folder, { recursive: true })
  const apt = mkdtempSync(join(folder, 'apt-'))
  try {
    for (const name of ['state/lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, name), { recursive: true })
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
    const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : ''
    writeFileSync(join(apt, 'sources.list'), `deb ${signed}${mirror(folder)} ${release} main\n`)
    const options = [
      `Dir::Etc::SourceList=${join(apt, 'sources.list')}`,
      'Dir::Etc::SourceParts=/dev/null',
      `Dir::State=${join(apt, 'state')}`,
      `Dir::Cache=${join(apt, 'cache')}`,
      // Otherwise apt would ask this release for the versions that are installed, which it may not have.
      'Dir::State::status=/dev/null',
      // Otherwise apt would drop root's rights, and could not read its own folder below a home.
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option])
    run('apt-get', [...options, 'update'], apt)
    run('apt-get', [...options, 'download', ...Object.keys(pathsIn)], apt)
    for (const file of readdirSync(apt).filter((name) => name.endsWith('.deb')))
      run('dpkg-deb', ['-x', file, 'packages'], apt)
    for (const path of new Set(Object.values(pathsIn).flat()))
      cpSync(join(apt, 'packages', path), join(folder, basename(path)), {
        recursive: true,
        verbatimSymlinks: true,
      })
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}

const mirror = (cwd: string): string => {
  const targets = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], cwd).split('\n')
  const found = targets.find((uri) => /\/debian\/?$/.test(uri.trim()))
  if (found === undefined) throw new Error('apt knows no mirror of Debian')
  return found.trim()
}

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
