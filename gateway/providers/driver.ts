import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { passOn } from '../../engine/kernel/handler.ts'
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

/** A call without an answer yet. */
type Call = {
  readonly request: ProviderCallRequest
  readonly traceparent: Traceparent | undefined
  readonly onAnswer: ((answer: ProviderAnswer) => void) | undefined
  isAnswered: boolean
  /** Stops its time. */
  cancel: (() => void) | null
}

/** Opens the driver of one worker. */
export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const { providers, execute, wait } = options
  let inFlight = 0
  /** Calls made in this turn. */
  let made: Call[] = []
  /** Answers that have come, in their order. */
  const pendingAnswers: { readonly call: Call; readonly answer: ProviderAnswer }[] = []
  let isTurnEnding = false

  const drive: ProviderDriver['drive'] = (request, traceparent) => {
    inFlight += 1
    const onAnswer = options.watch?.(request, traceparent)
    const call: Call = { request, traceparent, onAnswer, isAnswered: false, cancel: null }
    made.push(call)
    endTurn()
    void ask(request).then((answer) => take(call, answer))
  }

  /** The first answer counts. */
  const take = (call: Call, answer: ProviderAnswer): void => {
    if (call.isAnswered) return
    call.isAnswered = true
    call.cancel?.()
    call.onAnswer?.(answer)
    pendingAnswers.push({ call, answer })
    endTurn()
  }

  const endTurn = (): void => {
    if (isTurnEnding) return
    isTurnEnding = true
    options.later(() => {
      isTurnEnding = false
      for (const call of made) if (!call.isAnswered) beginTime(call)
      made = []
      recordSome()
    })
  }

  /** Calls that are answered in the turn in which they are made need no timer. */
  const beginTime = (call: Call): void => {
    call.cancel = options.timeout(options.answerTimeoutMs, () => take(call, silent))
  }

  const recordSome = (): void => {
    const from = options.stopwatch()
    let recorded = 0
    while (
      recorded < pendingAnswers.length &&
      (recorded === 0 || options.stopwatch() - from < options.sliceMs)
    ) {
      const { call, answer } = pendingAnswers[recorded++]!
      const { request, traceparent } = call
      record(request, { ...recordOf(request, answer), ...(traceparent && { traceparent }) })
    }
    pendingAnswers.splice(0, recorded)
    if (pendingAnswers.length > 0) endTurn()
  }

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
  const record = (request: ProviderCallRequest, command: RecordAnswer | RecordPayout): void =>
    passOn(execute(command), {
      resolve: () => {
        inFlight -= 1
      },
      reject: (error) => {
        if (error instanceof ShardUnavailable) {
          void wait(options.retryMs).then(() => record(request, command))
          return
        }
        options.onFault(error, request)
        inFlight -= 1
      },
    })

  return { drive, inFlight: () => inFlight, hasPendingAnswers: () => pendingAnswers.length > 0 }
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
    ? { type: 'RecordPayout', transferId: request.transferId, answer, ...common }
    : { type: 'RecordAnswer', transactionId: request.transactionId, answer, ...common }
}

const silent = { type: 'SILENT' } as const
