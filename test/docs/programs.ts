import { spawnSync } from 'node:child_process'

/** Makes sure that a program is there; as root, from Debian's packages. Without root, the message says what to install. */
export const installedProgram = (program: string, debianPackage: string): string => {
  if (isThere(program)) return program
  if (process.getuid?.() !== 0) throw new Error(`${program} is needed: apt-get install ${debianPackage}`)
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', debianPackage)
  if (!isThere(program)) throw new Error(`${debianPackage} has no ${program}`)
  return program
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

const run = (command: string, ...args: string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
