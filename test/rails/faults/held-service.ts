import type { HeldOrder, HeldWord } from '../../e2e/held-main.ts'
import { programOf } from '../../e2e/service.ts'
import { type PreparedPerson, preparePeople } from '../live-person.ts'
import { type LiveScope, type RailHost, startRailHost } from '../live-service.ts'

/** A service whose clock and whose calls to banks the test holds, over as many lives as it is killed. */
export type HeldService = {
  readonly host: RailHost
  /** Companies that are there from the start, with a person each. */
  readonly people: readonly PreparedPerson[]
  /** Resolves when every thread has obeyed, or to false where the process has ended. */
  readonly order: (order: HeldOrder) => Promise<boolean>
  /** The connections of which a call is held. */
  readonly reached: () => ReadonlySet<string>
  readonly movedMs: () => number
  /** Kills it: at once, or so many turns after answers that are held were let go on. */
  readonly kill: (turns: number | null) => Promise<void>
  /** What all lives have logged. */
  readonly logs: () => string
}

/** How it is started: with one thread beside the main one, and without people, unless another number is given. */
export type HeldOptions = {
  readonly workers?: number
  readonly peopleCount?: number
  /** Whether each company has two people. */
  readonly inPairs?: boolean
}

/** Starts it. */
export const startHeldService = async (
  t: LiveScope,
  { workers = 1, peopleCount = 0, inPairs = false }: HeldOptions = {},
): Promise<HeldService> => {
  const prepared = peopleCount > 0 ? await preparePeople(t, peopleCount, { inPairs }) : null
  const host = await startRailHost(t, {
    program: programOf('held-main'),
    env: { ...prepared?.env, WORKERS: String(workers) },
    ...(prepared !== null && { dataDir: prepared.dataDir }),
  })
  const threads = workers + 1
  const waiting = new Map<number, { left: number; readonly resolve: (isDone: boolean) => void }>()
  let reached = new Set<string>()
  let number = 0
  let movedMs = 0
  let logs = ''

  const listen = (): void => {
    const { process } = host.service()
    process.on('message', (word: HeldWord) => {
      if (word.type === 'REACHED') reached.add(word.connectionId)
      else finish(word.number, 1)
    })
    process.once('exit', () => {
      for (const { resolve } of waiting.values()) resolve(false)
      waiting.clear()
    })
  }
  const finish = (of: number, by: number): void => {
    const one = waiting.get(of)
    if (one === undefined) return
    one.left -= by
    if (one.left > 0) return
    waiting.delete(of)
    one.resolve(true)
  }
  const order: HeldService['order'] = (given) => {
    if (given.type === 'MOVE') movedMs += given.ms
    const own = ++number
    return new Promise((resolve) => {
      waiting.set(own, { left: threads, resolve })
      host.service().process.send!({ ...given, number: own })
    })
  }
  listen()
  return {
    host,
    people: prepared?.people ?? [],
    order,
    reached: () => reached,
    movedMs: () => movedMs,
    kill: async (turns) => {
      const ended = new Promise((resolve) => host.service().process.once('exit', resolve))
      if (turns === null) host.service().process.kill('SIGKILL')
      else void order({ type: 'DIE', turns })
      await ended
      logs += host.service().log()
      reached = new Set()
      await host.start({ CLOCK_SHIFT_MS: String(movedMs) })
      listen()
    },
    logs: () => logs + host.service().log(),
  }
}
