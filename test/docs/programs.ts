import { spawnSync } from 'node:child_process'

/**
 * Makes sure that a command works that Debian has in a package, and installs the package as root where it does not.
 * Without root, the message says what to install.
 */
export const requireProgram = (command: readonly string[], debianPackage: string): void => {
  if (works(command)) return
  if (process.getuid?.() !== 0)
    throw new Error(`${command.join(' ')} does not work: apt-get install ${debianPackage}`)
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', debianPackage)
  if (!works(command)) throw new Error(`${command.join(' ')} does not work, with ${debianPackage} installed`)
}

const works = ([program = '', ...args]: readonly string[]): boolean => spawnSync(program, args).status === 0

const run = (command: string, ...args: string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
