import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { ProviderAnswer } from '../../engine/payments/provider.ts'
import type { RecordAnswer } from '../../engine/payments/transaction/commands.ts'
import type { RecordPayout } from '../../engine/payouts/commands.ts'
import { isPayout } from '../../engine/payouts/payout-request.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { Provider, Providers } from './provider.ts'

/** Carries calls to providers and banks, and brings each answer back as a command like any other. */
export type ProviderDriver = {
  /** Makes a call. Its intent must be on disk already. */
  readonly drive: (request: ProviderCallRequest, traceparent?: Traceparent) => void
  readonly inFlight: () => number
  /** Whether answers have come that are not handed to their shards yet. */
  readonly hasPendingAnswers: () => boolean
}

export type ProviderDriverOptions = {
  readonly providers: Providers
  readonly execute: (command: RecordAnswer | RecordPayout) => Promise<unknown>
  /** Calls back in a later turn of the event loop. */
  readonly later: (callback: () => void) => void
  /** A monotonic clock in milliseconds; it measures how long answers have been recorded in one turn. */
  readonly stopwatch: () => number
  /** How long answers may be recorded in one turn: a burst of them must not hold up requests. */
  readonly sliceMs: number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  /** After this much silence a provider counts as `SILENT` (decisions, section 9). */
  readonly answerTimeoutMs: number
  /** Pause between attempts to record an answer while the shard is not writable. */
  readonly retryMs: number
  readonly onFault: (error: unknown, request: ProviderCallRequest) => void
  /** Called when a call starts; the returned function is called with its answer. */
  readonly watch?: (
    request: ProviderCallRequest,
    traceparent: Traceparent | undefined,
  ) => (answer: ProviderAnswer) => void
}

/** Opens the driver of one worker. */
export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const { providers, execute, wait } = options
  let inFlight = 0
  /** Records each answer that has come, in their order. */
  const pendingAnswers: (() => void)[] = []

  const drive = async (request: ProviderCallRequest, traceparent?: Traceparent): Promise<void> => {
    inFlight += 1
    const onAnswer = options.watch?.(request, traceparent)
    const answer = await answerInTime(request)
    onAnswer?.(answer)
    const command = { ...recordOf(request, answer), ...(traceparent && { traceparent }) }
    if (pendingAnswers.length === 0) options.later(recordSome)
    pendingAnswers.push(() => void record(request, command))
  }

  const recordSome = (): void => {
    const from = options.stopwatch()
    let recorded = 0
    do pendingAnswers[recorded++]!()
    while (recorded < pendingAnswers.length && options.stopwatch() - from < options.sliceMs)
    pendingAnswers.splice(0, recorded)
    if (pendingAnswers.length > 0) options.later(recordSome)
  }

  /** The timer is cancelled with the answer: left running, it would cost a billing run a tenth of its time. */
  const answerInTime = (request: ProviderCallRequest): Promise<ProviderAnswer> =>
    new Promise((resolve) => {
      const cancel = options.timeout(options.answerTimeoutMs, () => resolve(silent))
      void ask(request).then((answer) => {
        cancel()
        resolve(answer)
      })
    })

  /**
   * An exception says nothing about what the provider did, so it counts as silence. So does a provider that is no longer
   * connected: the call stays open until it is, and the operator is told each time.
   */
  const ask = async (request: ProviderCallRequest): Promise<ProviderAnswer> => {
    try {
      return await connected(providers, request).request(request)
    } catch (error) {
      options.onFault(error, request)
      return silent
    }
  }

  /**
   * Retries until the answer is in the journal. A shard that recovers meanwhile makes the call again, and a repeated answer is
   * harmless.
   */
  const record = async (
    request: ProviderCallRequest,
    command: RecordAnswer | RecordPayout,
  ): Promise<void> => {
    for (;;) {
      try {
        await execute(command)
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
    hasPendingAnswers: () => pendingAnswers.length > 0,
  }
}

/** The provider that processes the charge. One that was connected since would send back money that it never had. */
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

/** The command that records an answer. */
export const recordOf = (
  request: ProviderCallRequest,
  answer: ProviderAnswer,
): RecordAnswer | RecordPayout => {
  const { accountId, reference: callId } = request
  const common = { accountId, by: { kind: 'PROVIDER', id: null }, callId } as const
  return isPayout(request)
    ? { ...common, type: 'RecordPayout', transferId: request.transferId, answer }
    : { ...common, type: 'RecordAnswer', transactionId: request.transactionId, answer }
}

const silent = { type: 'SILENT' } as const
