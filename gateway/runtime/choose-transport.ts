import type { Settings } from '../base/settings.ts'
import { descriptorsMax, descriptorsOfUws } from '../observability/descriptors.ts'
import { openLog } from '../observability/log.ts'
import { CommandFailure } from '../operator/command-line/service.ts'
import { sharesPorts } from '../wire/node.ts'
import { unansweredBy } from '../wire/self-test.ts'
import { listenWithUws } from '../wire/uws.ts'
import { chooseUws, type UwsBuild, versionOf } from '../wire/uws-builds.ts'

/**
 * Chooses what serves, and says in one line why: the first native build that loads, if it answers every request (`unansweredBy`), else
 * `node:http` with as many workers as can listen on one port. Throws `CommandFailure` if TRANSPORT asks for a native build and none
 * loads.
 */
export async function chooseTransport(settings: Settings) {
  const log = openLog(settings)
  const { transport, workers, host } = settings
  const { build, reasons, unanswered } = await nativeBuild(settings)
  if (build !== null) {
    const message = [`serving over ${versionOf(build)}`, ...reasons].join('; ')
    if (unanswered === null) log.info(message)
    else log.warn(`${message}; it does not answer ${unanswered}`)
    return { build, workers, log, settings }
  }
  if (transport === 'uws') throw new CommandFailure(`TRANSPORT=uws cannot be used: ${reasons.join('; ')}`)
  const isAlone = workers > 1 && !(await sharesPorts(host))
  const alone = isAlone ? ['one worker only: threads share a port from Node 22.12 on, on Linux'] : []
  const said = [...reasons, ...alone]
  if (said.length > 0) log[isAlone ? 'warn' : 'info'](`serving over node:http: ${said.join('; ')}`)
  return { build, workers: isAlone ? 1 : workers, log, settings }
}

type NativeChoice = {
  readonly build: UwsBuild | null
  /** Why no native build serves, or why those that come before this one do not. */
  readonly reasons: readonly string[]
  /** What the build leaves unanswered, in words; null if it answers everything. */
  readonly unanswered: string | null
}

const nativeBuild = async ({ transport }: Settings): Promise<NativeChoice> => {
  if (transport === 'node') return none([])
  const max = descriptorsMax()
  if (transport === 'auto' && max !== null && max < descriptorsOfUws)
    return none([`native builds need ${descriptorsOfUws} file descriptors, and there are ${max}`])
  const { build, passedOver } = chooseUws()
  const reasons = passedOver.map(({ build, reason }) => `${build}: ${reason}`)
  if (build === null) return none(reasons)
  const unanswered = (await unansweredBy(listenWithUws(build))).join(', ')
  if (unanswered === '') return { build, reasons, unanswered: null }
  if (transport === 'uws') return { build, reasons, unanswered }
  // A process may load one build only, so the next one is not tried.
  return none([...reasons, `${versionOf(build)} does not answer ${unanswered}`])
}

const none = (reasons: readonly string[]): NativeChoice => ({ build: null, reasons, unanswered: null })
