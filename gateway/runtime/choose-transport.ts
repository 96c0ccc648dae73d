import type { Settings } from '../base/settings.ts'
import { descriptorsMax, descriptorsOfUws } from '../observability/descriptors.ts'
import { openLog } from '../observability/log.ts'
import { CommandFailure } from '../operator/command-line/service.ts'
import { sharesPorts } from '../wire/node.ts'
import { chooseUws, type UwsChoice } from '../wire/uws-builds.ts'

/** Chooses the first native build that loads, else node:http with as many workers as can listen on one port. */
export async function chooseTransport(settings: Settings) {
  const log = openLog(settings)
  const { transport, workers, host } = settings
  const max = descriptorsMax()
  const isShort = transport === 'auto' && max !== null && max < descriptorsOfUws
  if (isShort)
    log.warn(
      `no native build with ${max} file descriptors: it does not survive that none is left, and needs ${descriptorsOfUws}`,
    )
  const { build, passedOver } = transport === 'node' || isShort ? noUws : chooseUws()
  for (const step of passedOver) log.info(step, 'a native build of uWebSockets.js is passed over')
  if (build !== null) return { build, workers, log, settings }
  if (transport === 'uws') {
    const reasons = passedOver.map(({ build, reason }) => `${build}: ${reason}`)
    throw new CommandFailure(`TRANSPORT=uws cannot be used: ${reasons.join('; ')}`)
  }
  if (workers === 1 || (await sharesPorts(host))) {
    if (transport === 'auto') log.warn('serving over node:http, slower than a native build')
    return { build, workers, log, settings }
  }
  log.warn('serving over node:http with one worker: threads can share a port from Node 22.12 on, on Linux')
  return { build, workers: 1, log, settings }
}

const noUws: UwsChoice = { build: null, passedOver: [] }
