import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unpackDebianPackages } from '../../gateway/local-cluster/debian-packages.ts'

const folder = resolve(import.meta.dirname, '../../..', '.systemd')
const triplet = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as 'x64' | 'arm64']

/**
 * Runs `systemd-analyze`: the one in `PATH`, or Debian 12's, unpacked with the libraries that a small system lacks into an ignored
 * folder of the project. It looks at files only; no systemd has to run.
 */
export const systemdAnalyze = (
  ...args: string[]
): { readonly status: number | null; readonly output: string } => {
  const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0
  if (!isInstalled && !existsSync(join(folder, 'systemd-analyze'))) unpack()
  const libraries = join(folder, String(triplet))
  const { status, stdout, stderr, error } = spawnSync(
    isInstalled ? 'systemd-analyze' : join(folder, 'systemd-analyze'),
    args,
    {
      encoding: 'utf8',
      env: isInstalled
        ? process.env
        : { ...process.env, LD_LIBRARY_PATH: `${libraries}:${libraries}/systemd` },
    },
  )
  return { status, output: `${error?.message ?? ''}${stderr}${stdout}` }
}

const unpack = (): void => {
  const libraries = ['libsystemd-shared', 'libseccomp2', 'libip4tc2', 'libkmod2', 'libapparmor1', 'libssl3']
  unpackDebianPackages(
    'bookworm',
    {
      systemd: ['usr/bin/systemd-analyze', `usr/lib/${triplet}`],
      ...Object.fromEntries(libraries.map((name) => [name, [`usr/lib/${triplet}`]])),
    },
    folder,
  )
}
