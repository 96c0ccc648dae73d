import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { unpackDebianPackages } from './debian-packages.ts'

/** Older versions lose acknowledged writes in a cluster (see the README, Cluster). */
const versionMin = [2, 12] as const
const folder = resolve(import.meta.dirname, '../../../.nats')
const installed = join(folder, 'nats-server')

/**
 * The path of a safe nats-server: that of NATS_SERVER_BIN, the one in PATH, or one from Debian's newest package in an ignored
 * folder of the project. Debian 12 and 13 have older ones; the system's packages stay as they are.
 */
export const natsServer = (): string => {
  const found = findNatsServer()
  if (found !== null) return found
  try {
    unpackDebianPackages('unstable', { 'nats-server': ['usr/sbin/nats-server'] }, folder)
  } catch (error) {
    throw new Error(`no nats-server of ${versionMin.join('.')} or newer: set NATS_SERVER_BIN`, {
      cause: error,
    })
  }
  const version = versionOf(installed)
  if (!isSafe(version))
    throw new Error(`the newest nats-server of Debian is ${version?.join('.')}, and too old`)
  return installed
}

/** A safe nats-server that is already there, or null. */
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
