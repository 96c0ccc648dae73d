import { listenWithNode } from '../../../gateway/wire/node.ts'
import type { Transport } from '../../../gateway/wire/transport.ts'
import { listenWithUws } from '../../../gateway/wire/uws.ts'
import { type UwsBuild, whyNotUws } from '../../../gateway/wire/uws-builds.ts'

/** The native builds that the project installs, and node:http. A process may use one of the builds: see `chooseUws`. */
export type TransportName = 'uws-20.57' | 'uws-20.30' | 'node'

const builds: Readonly<Record<Exclude<TransportName, 'node'>, UwsBuild>> = {
  'uws-20.57': '@btc-vision/uwebsockets.js',
  'uws-20.30': '@trufflesuite/uws-js-unofficial',
}

export const transportOf = (name: TransportName): Transport =>
  name === 'node' ? listenWithNode : listenWithUws(builds[name])

/** Why it cannot be used in this process; null when it can. */
export const whyNot = (name: TransportName): string | null =>
  name === 'node' ? null : whyNotUws(builds[name])
