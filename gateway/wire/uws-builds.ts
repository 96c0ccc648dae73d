import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Uws from '@trufflesuite/uws-js-unofficial'
import { bounds } from '../base/bounds.ts'

/**
 * The npm packages that carry a native build of uWebSockets.js, in the order in which they are tried. Upstream publishes only in
 * its own repository: its build is used if an operator installed it, and is never installed automatically. The other two are
 * republished by third parties, named in `docs/decisions/transports.md`.
 */
export const uwsBuilds = [
  'uWebSockets.js',
  '@btc-vision/uwebsockets.js',
  '@trufflesuite/uws-js-unofficial',
] as const
export type UwsBuild = (typeof uwsBuilds)[number]

export type UwsChoice = {
  /** The first build that loads; null if none does. */
  readonly build: UwsBuild | null
  readonly passedOver: readonly { readonly build: UwsBuild; readonly reason: string }[]
}

/**
 * Chooses a build. It never loads more than one: two in a process share symbols, and the one loaded last would get the limits of
 * the other.
 */
export const chooseUws = (): UwsChoice => {
  const passedOver: { build: UwsBuild; reason: string }[] = []
  for (const build of uwsBuilds) {
    const reason = whyNotUws(build)
    if (reason === null) return { build, passedOver }
    // A build that only an operator installs is not worth a line when it is missing.
    if (reason !== notInstalled || build !== 'uWebSockets.js') passedOver.push({ build, reason })
  }
  return { build: null, passedOver }
}

/** Why a build cannot be used here; null if it can. */
export const whyNotUws = (build: UwsBuild): string | null => {
  try {
    require.resolve(build)
  } catch {
    return notInstalled
  }
  try {
    // A package without its native file may still export something.
    return loadUws(build).SSLApp === undefined ? 'it has no native file' : null
  } catch (error) {
    return firstCauseOf(error as Error)
  }
}

/** Loads a build. Throws if its native file does not load. */
export const loadUws = (build: UwsBuild): NativeUws => {
  // The library reads this when it is loaded: how large a head may be. The exact limits are ours to enforce.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax)
  return require(build === olderBuild ? `${build}/binaries/${nativeFile}` : build) as NativeUws
}

/** Without a native file that loads, this package prints the error on the terminal, and is a stub without TLS. */
const olderBuild: UwsBuild = '@trufflesuite/uws-js-unofficial'
const nativeFile = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** The version of a build, as `name@version`. */
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

/** How large a head the native builds accept, where they have such a limit: request line and headers, and a little more. */
const headBytesMax = bounds.urlBytesMax + bounds.headerBytesMax + 2048

const notInstalled = 'it is not installed'

/** Some packages put advice before the actual error; after it comes the trace of their files. */
const firstCauseOf = ({ message }: Error): string => {
  const lines = message.split('\n')
  return (lines.find((line) => line.startsWith('Error: ')) ?? lines[0]!).replace(/^Error: /, '')
}

const require = createRequire(import.meta.url)

/** The part of the native builds that their typings lack. */
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
  /** Closes every connection, even those with requests in flight. */
  readonly close: () => void
}
