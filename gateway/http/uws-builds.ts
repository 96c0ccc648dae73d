import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Uws from '@trufflesuite/uws-js-unofficial'
import { limits } from '../limits.ts'

/**
 * The npm packages that carry a native build of uWebSockets.js, in the order in which they are tried. Upstream publishes
 * at its own repository only: a build of its own is used where an operator installed it, and nothing installs it by
 * itself. The other two are republished by others: `gateway/http/README.md` says by whom.
 */
export const uwsBuilds = [
  'uWebSockets.js',
  '@btc-vision/uwebsockets.js',
  '@trufflesuite/uws-js-unofficial',
] as const
export type UwsBuild = (typeof uwsBuilds)[number]

export type UwsChoice = {
  /** The first that loads; null where none does. */
  readonly build: UwsBuild | null
  readonly passedOver: readonly { readonly build: UwsBuild; readonly reason: string }[]
}

/**
 * Loads no more than one: two in a process share what their symbols name, and the one loaded last ends up with the limits of
 * the other.
 */
export const chooseUws = (): UwsChoice => {
  const passedOver: { build: UwsBuild; reason: string }[] = []
  for (const build of uwsBuilds) {
    const reason = whyNotUws(build)
    if (reason === null) return { build, passedOver }
    // Nobody misses what only an operator installs.
    if (reason !== notInstalled || build !== 'uWebSockets.js') passedOver.push({ build, reason })
  }
  return { build: null, passedOver }
}

/** Why a build cannot be used here; null when it can. */
export const whyNotUws = (build: UwsBuild): string | null => {
  try {
    require.resolve(build)
  } catch {
    return notInstalled
  }
  try {
    // Without its native file, a package may still have something to show.
    return loadUws(build).SSLApp === undefined ? 'it has no native file' : null
  } catch (error) {
    return firstCauseOf(error as Error)
  }
}

export const loadUws = (build: UwsBuild): NativeUws => {
  // Read once, by the library, when it is loaded: how large a head may be. Ours to refuse are the exact limits.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax)
  return require(build === olderBuild ? `${build}/binaries/${nativeFile}` : build) as NativeUws
}

/** Where its native file does not load, this package would say so on the terminal, and be a stub without TLS. */
const olderBuild: UwsBuild = '@trufflesuite/uws-js-unofficial'
const nativeFile = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** As `name@version`. */
export const versionOf = (build: UwsBuild): string => {
  for (let folder = dirname(require.resolve(build)); ; folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return `${name}@${version}`
    } catch (error) {
      if (folder === dirname(folder)) throw error
    }
  }
}

/** Of what the native builds that know a limit take at most: request line and headers, and a little more. */
const headBytesMax = limits.urlBytesMax + limits.headerBytesMax + 2048

const notInstalled = 'it is not installed'

/** Some packages put advice in front of what went wrong; behind it is the trace of their files. */
const firstCauseOf = ({ message }: Error): string => {
  const lines = message.split('\n')
  return (lines.find((line) => line.startsWith('Error: ')) ?? lines[0]!).replace(/^Error: /, '')
}

const require = createRequire(import.meta.url)

/** What the native builds have and the typings lack. */
export type NativeUws = Omit<typeof Uws, 'App' | 'SSLApp'> & {
  readonly App: () => NativeApp
  readonly SSLApp: (options: Uws.AppOptions) => NativeApp
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
}
export type NativeApp = Omit<Uws.TemplatedApp, 'listen'> & {
  readonly listen: (
    host: string,
    port: number,
    options: number,
    listening: (socket: Uws.us_listen_socket | false) => void,
  ) => void
  /** Closes every connection, also those with requests in flight. */
  readonly close: () => void
}
