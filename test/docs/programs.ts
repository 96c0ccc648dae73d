import { spawnSync } from 'node:child_process'

/**
 * Makes sure that a command works that Debian has in packages, and installs them as root where it does not.
 * Without root, the message says what to install.
 */
export const requireProgram = (command: readonly string[], ...debianPackages: readonly string[]): void => {
  if (works(command)) return
  const packages = debianPackages.join(' ')
  if (process.getuid?.() !== 0)
    throw new Error(`${command.join(' ')} does not work: apt-get install ${packages}`)
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...debianPackages)
  if (!works(command)) throw new Error(`${command.join(' ')} does not work, with ${packages} installed`)
}

const works = ([program = '', ...args]: readonly string[]): boolean => spawnSync(program, args).status === 0

const run = (command: string, ...args: string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
