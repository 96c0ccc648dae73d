import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { unpackDebianPackages } from '../gateway/local-cluster/debian-packages.ts'

const folder = resolve(import.meta.dirname, '../../.glibc')
/** The folder of libraries of this machine in Debian's packages. */
export const triplet = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[
  process.arch as 'x64' | 'arm64'
]
const libraries = join(folder, String(triplet))

/**
 * A command that is this Node, on the C library of Debian 13: the newer native build needs it, and Debian 12 has an older one.
 * The library is unpacked into an ignored folder of the project. Processes that a test starts with `process.execPath` are
 * on it too.
 */
export const nodeOnNewerGlibc = (): string => {
  if (!existsSync(libraries)) {
    const path = `usr/lib/${triplet}`
    unpackDebianPackages('trixie', { libc6: [path], 'libstdc++6': [path], 'libgcc-s1': [path] }, folder)
  }
  const loader = readdirSync(libraries).find((name) => name.startsWith('ld-linux'))
  const command = join(folder, process.version, 'node')
  mkdirSync(dirname(command), { recursive: true })
  // The process would otherwise take the loader for its executable.
  const itself = join(dirname(command), 'itself.cjs')
  put(itself, `process.execPath = ${JSON.stringify(command)}\n`)
  const quoted = [
    join(libraries, loader!),
    '--library-path',
    libraries,
    process.execPath,
    '--require',
    itself,
  ]
  put(command, `#!/bin/sh\nexec ${quoted.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  const { status, stderr } = spawnSync(command, ['--eval', ''], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`this Node does not run on the newer C library: ${stderr}`)
  return command
}

/** Whole or not at all: several tests may do this at a time. */
const put = (path: string, text: string): void => {
  const part = `${path}.${process.pid}`
  writeFileSync(part, text)
  chmodSync(part, 0o755)
  renameSync(part, path)
}
