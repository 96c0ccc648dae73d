import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unpackDebianPackages } from '../../gateway/local-cluster/debian-packages.ts'
import { triplet } from '../newer-glibc.ts'

const folder = resolve(import.meta.dirname, '../../..', '.proxies')

export type ProxyProgram = 'nginx' | 'haproxy' | 'caddy'

/** The environment in which a program finds the libraries that came with it. */
export const proxyEnvironment = { ...process.env, LD_LIBRARY_PATH: join(folder, String(triplet)) }

/** Debian 12's proxies with the libraries that the system may lack, unpacked into an ignored folder of the project. */
export const proxyProgram = (name: ProxyProgram): string => {
  const path = join(folder, name)
  if (!existsSync(path)) {
    const libraries = `usr/lib/${triplet}`
    unpackDebianPackages(
      'bookworm',
      {
        nginx: ['usr/sbin/nginx'],
        haproxy: ['usr/sbin/haproxy'],
        caddy: ['usr/bin/caddy'],
        ...Object.fromEntries(librariesOf.map((library) => [library, [libraries]])),
      },
      folder,
    )
  }
  const { status, stderr } = spawnSync(path, [name === 'caddy' ? 'version' : '-v'], { env: proxyEnvironment })
  if (status !== 0) throw new Error(`${path} does not run here: ${stderr}`)
  return path
}

/** What the programs are linked with, besides the C library. */
const librariesOf = [
  'libssl3',
  'libpcre2-8-0',
  'libcrypt1',
  'zlib1g',
  'liblua5.3-0',
  'libopentracing-c-wrapper0',
  'libopentracing1',
  'libsystemd0',
]
