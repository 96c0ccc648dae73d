import type { RecordChainAnswer } from '../../engine/crypto/commands.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { passOn } from '../../engine/kernel/handler.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { RecordPayout } from '../../engine/marketplace/commands.ts'
import type { RecordKeyOwner, RecordMoneyOut } from '../../engine/money-out/commands.ts'
import type { KeyAnswer } from '../../engine/money-out/lookups/key-lookup.ts'
import type { MoneyOutAnswer } from '../../engine/money-out/methods/method.ts'
import type { PlainAnswer, ProviderAnswer } from '../../engine/payments/provider.ts'
import type { RecordAnswer } from '../../engine/payments/transaction/commands.ts'
import {
  type ConversionId,
  type DepositId,
  environmentOf,
  type QuoteId,
  type WithdrawalId,
} from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { AnyAnswer, Provider, Providers } from './provider.ts'

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
  /** The request as a provider receives it, with what is sealed at rest opened. May throw. */
  readonly revealed: (request: ProviderCallRequest) => ProviderCallRequest
  readonly execute: (command: AnswerCommand) => Promise<unknown>
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
  ) => (answer: AnyAnswer) => void
}

/** A call without an answer yet. */
type Call = {
  readonly request: ProviderCallRequest
  readonly traceparent: Traceparent | undefined
  readonly onAnswer: ((answer: AnyAnswer) => void) | undefined
  isAnswered: boolean
  /** Cancels its timeout. */
  cancel: (() => void) | null
}

type DriverState = ProviderDriverOptions & {
  inFlight: number
  /** Calls made in this turn. */
  made: Call[]
  /** Answers that have come, in their order. */
  readonly pendingAnswers: { readonly call: Call; readonly answer: AnyAnswer }[]
  isTurnEnding: boolean
}

/** Opens the driver of one worker. */
export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const driver: DriverState = { ...options, inFlight: 0, made: [], pendingAnswers: [], isTurnEnding: false }
  return {
    drive: (request, traceparent) => drive(driver, request, traceparent),
    inFlight: () => driver.inFlight,
    hasPendingAnswers: () => driver.pendingAnswers.length > 0,
  }
}

const drive = (
  driver: DriverState,
  request: ProviderCallRequest,
  traceparent: Traceparent | undefined,
): void => {
  driver.inFlight += 1
  const onAnswer = driver.watch?.(request, traceparent)
  const call: Call = { request, traceparent, onAnswer, isAnswered: false, cancel: null }
  driver.made.push(call)
  endTurn(driver)
  void ask(driver, request).then((answer) => take(driver, call, answer))
}

/** Takes the first answer to a call; later ones do not count. */
const take = (driver: DriverState, call: Call, answer: AnyAnswer): void => {
  if (call.isAnswered) return
  call.isAnswered = true
  call.cancel?.()
  call.onAnswer?.(answer)
  driver.pendingAnswers.push({ call, answer })
  endTurn(driver)
}

const endTurn = (driver: DriverState): void => {
  if (driver.isTurnEnding) return
  driver.isTurnEnding = true
  driver.later(() => {
    driver.isTurnEnding = false
    for (const call of driver.made) if (!call.isAnswered) beginTime(driver, call)
    driver.made = []
    recordSome(driver)
  })
}

/** Starts the timeout of a call. Calls that are answered in the turn in which they are made need none. */
const beginTime = (driver: DriverState, call: Call): void => {
  call.cancel = driver.timeout(driver.answerTimeoutMs, () => take(driver, call, silent))
}

const recordSome = (driver: DriverState): void => {
  const from = driver.stopwatch()
  let recorded = 0
  while (
    recorded < driver.pendingAnswers.length &&
    (recorded === 0 || driver.stopwatch() - from < driver.sliceMs)
  ) {
    const { call, answer } = driver.pendingAnswers[recorded++]!
    const { request, traceparent } = call
    record(driver, request, { ...recordOf(request, answer), ...(traceparent && { traceparent }) })
  }
  driver.pendingAnswers.splice(0, recorded)
  if (driver.pendingAnswers.length > 0) endTurn(driver)
}

/**
 * An exception says nothing about what the provider did, so it counts as silence. So does a provider that is no
 * longer connected: the call stays open until it is, and each try is reported as a fault.
 */
const ask = async (driver: DriverState, request: ProviderCallRequest): Promise<AnyAnswer> => {
  try {
    return await connected(driver.providers, request).request(driver.revealed(request))
  } catch (error) {
    driver.onFault(error, request)
    return silent
  }
}

/**
 * Retries until the answer is in the journal. A shard that recovers meanwhile makes the call again, and a repeated answer is
 * harmless.
 */
const record = (driver: DriverState, request: ProviderCallRequest, command: AnswerCommand): void =>
  passOn(driver.execute(command), {
    resolve: () => {
      driver.inFlight -= 1
    },
    reject: (error) => {
      if (error instanceof ShardUnavailable) {
        void driver.wait(driver.retryMs).then(() => record(driver, request, command))
        return
      }
      driver.onFault(error, request)
      driver.inFlight -= 1
    },
  })

/** Records what a provider answered. */
export type AnswerCommand = RecordAnswer | RecordPayout | RecordMoneyOut | RecordKeyOwner | RecordChainAnswer

/** The provider that processes the charge. One that was connected since would send back money that it never had. */
const connected = (providers: Providers, request: ProviderCallRequest): Provider => {
  const environment = environmentOf(request.accountId)
  const provider = providers[environment][request.rail]
  const wanted = 'providerId' in request ? request.providerId : (provider?.name ?? null)
  if (provider === undefined || provider.name !== wanted)
    throw new Error(
      `${wanted ?? 'a provider'} is not connected for ${request.rail} in ${environment}: the call stays open`,
    )
  return provider
}

/** The command that records an answer. */
export const recordOf = (request: ProviderCallRequest, answer: AnyAnswer): AnswerCommand => {
  const { accountId, reference: callId } = request
  const common = { accountId, by: { kind: 'PROVIDER', id: null }, callId } as const
  switch (request.operation) {
    case 'PAY_OUT':
      return {
        type: 'RecordPayout',
        splitTransferId: request.splitTransferId,
        answer: answer as PlainAnswer,
        ...common,
      }
    case 'SEND_TRANSFER':
      return {
        type: 'RecordMoneyOut',
        transferId: request.transferId,
        answer: answer as MoneyOutAnswer,
        ...common,
      }
    case 'FIND_KEY': {
      const { keyLookupId } = request
      return { type: 'RecordKeyOwner', keyLookupId, answer: aboutKey(answer), ...common }
    }
    case 'QUOTE':
    case 'CONVERT':
    case 'SEND':
      return chainRecordOf(answer as ProviderAnswer, common)
    default:
      return {
        type: 'RecordAnswer',
        transactionId: request.transactionId,
        answer: answer as ProviderAnswer,
        ...common,
      }
  }
}

/** The command that records what a chain provider answered to the actor that made the call, whose id the reference begins with. */
const chainRecordOf = (
  answer: ProviderAnswer,
  common: Pick<RecordChainAnswer, 'accountId' | 'by' | 'callId'>,
): RecordChainAnswer | RecordMoneyOut => {
  const id = common.callId.slice(0, common.callId.indexOf('.'))
  const chain = { type: 'RecordChainAnswer', answer, ...common } as const
  if (id.startsWith('wdr_'))
    return { type: 'RecordMoneyOut', withdrawalId: id as WithdrawalId, answer, ...common }
  if (id.startsWith('cdp_')) return { ...chain, depositId: id as DepositId }
  return id.startsWith('qte_')
    ? { ...chain, quoteId: id as QuoteId }
    : { ...chain, conversionId: id as ConversionId }
}

const aboutKey = (answer: AnyAnswer): KeyAnswer =>
  answer.type === 'FOUND' || answer.type === 'NOT_FOUND' ? answer : silent

const silent = { type: 'SILENT' } as const
