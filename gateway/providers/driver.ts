import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { ProviderAnswer } from '../../engine/payments/provider.ts'
import type { RecordAnswer } from '../../engine/payments/transaction/commands.ts'
import { isPayout } from '../../engine/payouts/bank.ts'
import type { RecordPayout } from '../../engine/payouts/commands.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { Provider, Providers } from './provider.ts'

/** Carries calls to providers and banks, and their answers back, each as a command like any other. */
export type ProviderDriver = {
  /** A call whose intent is on disk. */
  readonly drive: (request: ProviderCallRequest, traceparent?: Traceparent) => void
  readonly inFlight: () => number
  /** Whether answers wait for their turn to be told. */
  readonly hasWaitingAnswers: () => boolean
}

export type ProviderDriverOptions = {
  readonly providers: Providers
  readonly execute: (command: RecordAnswer | RecordPayout) => Promise<unknown>
  /** Calls back in a later turn of the event loop. */
  readonly later: (callback: () => void) => void
  /** Milliseconds, of which only differences matter: it tells how long answers have been told in one turn. */
  readonly stopwatch: () => number
  /** So long answers are told in one turn: a burst of them must not hold up requests. */
  readonly sliceMs: number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** Calls back after so many milliseconds, unless what it answers is called before. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  /** How long a provider may take: then it is silent (decisions, section 9). */
  readonly answerTimeoutMs: number
  /** Between the tries to tell a shard that cannot be written. */
  readonly retryMs: number
  readonly onFault: (error: unknown, request: ProviderCallRequest) => void
  /** Hears that somebody is asked; what it answers hears what that came to. */
  readonly watch?: (
    request: ProviderCallRequest,
    traceparent: Traceparent | undefined,
  ) => (answer: ProviderAnswer) => void
}

export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const { providers, execute: tell, wait } = options
  let inFlight = 0
  /** What tells each answer that came, in their order. */
  const answered: (() => void)[] = []

  const drive = async (request: ProviderCallRequest, traceparent?: Traceparent): Promise<void> => {
    inFlight += 1
    const hear = options.watch?.(request, traceparent)
    const answer = await answerInTime(request)
    hear?.(answer)
    const command = { ...recordOf(request, answer), ...(traceparent && { traceparent }) }
    if (answered.length === 0) options.later(tellSome)
    answered.push(() => void record(request, command))
  }

  const tellSome = (): void => {
    const from = options.stopwatch()
    let told = 0
    do answered[told++]!()
    while (told < answered.length && options.stopwatch() - from < options.sliceMs)
    answered.splice(0, told)
    if (answered.length > 0) options.later(tellSome)
  }

  /** A timer for each call that outlives its answer would cost a billing run a tenth of its time. */
  const answerInTime = (request: ProviderCallRequest): Promise<ProviderAnswer> =>
    new Promise((resolve) => {
      const cancel = options.timeout(options.answerTimeoutMs, () => resolve(silent))
      void ask(request).then((answer) => {
        cancel()
        resolve(answer)
      })
    })

  /**
   * An exception says nothing of what the provider did: it is silence. So is a provider that is not connected any more: the call
   * stays open until it is, and the operator hears of it each time.
   */
  const ask = async (request: ProviderCallRequest): Promise<ProviderAnswer> => {
    try {
      return await connected(providers, request).request(request)
    } catch (error) {
      options.onFault(error, request)
      return silent
    }
  }

  /** Until it is in the journal. A shard that recovers meanwhile has the call driven again; one answer more is harmless. */
  const record = async (
    request: ProviderCallRequest,
    command: RecordAnswer | RecordPayout,
  ): Promise<void> => {
    for (;;) {
      try {
        await tell(command)
        break
      } catch (error) {
        if (!(error instanceof ShardUnavailable)) {
          options.onFault(error, request)
          break
        }
        await wait(options.retryMs)
      }
    }
    inFlight -= 1
  }

  return {
    drive: (request, traceparent) => void drive(request, traceparent),
    inFlight: () => inFlight,
    hasWaitingAnswers: () => answered.length > 0,
  }
}

/** The provider that processes the charge: another one, connected since, would send back money that it never had. */
const connected = (providers: Providers, request: ProviderCallRequest): Provider => {
  const environment = environmentOf(request.accountId)
  const provider = providers[environment][request.rail]
  const isMeant = isPayout(request) || provider?.name === request.providerId
  if (provider === undefined || !isMeant) {
    const name = isPayout(request) ? 'a bank' : request.providerId
    throw new Error(`${name} is not connected for ${request.rail} in ${environment}: the call stays open`)
  }
  return provider
}

/** What was answered, as the command that tells it. */
export const recordOf = (
  request: ProviderCallRequest,
  answer: ProviderAnswer,
): RecordAnswer | RecordPayout => {
  const { accountId, reference: callId } = request
  const told = { accountId, by: { kind: 'PROVIDER', id: null }, callId } as const
  return isPayout(request)
    ? { ...told, type: 'RecordPayout', transferId: request.transferId, answer }
    : {
        ...told,
        type: 'RecordAnswer',
        transactionId: request.transactionId,
        answer,
      }
}

const silent = { type: 'SILENT' } as const
