import type { RecordMandateAnswer } from '../../engine/billing/mandate/commands.ts'
import type { MandateAnswer } from '../../engine/billing/mandate/mandate-request.ts'
import type { RecordChainAnswer } from '../../engine/crypto/commands.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { passOn } from '../../engine/kernel/handler.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { RecordPayout } from '../../engine/marketplace/commands.ts'
import type { RecordKeyOwner, RecordMoneyOut } from '../../engine/money-out/commands.ts'
import type { KeyAnswer } from '../../engine/money-out/lookups/key-lookup.ts'
import type { MoneyOutAnswer } from '../../engine/money-out/methods/method.ts'
import type { ProviderAnswer } from '../../engine/payments/provider.ts'
import type { TransferAnswer } from '../../engine/payments/sent-money.ts'
import type { RecordSuspenseReturn } from '../../engine/payments/suspense/commands.ts'
import type { RecordAnswer } from '../../engine/payments/transaction/commands.ts'
import {
  type AccountId,
  type ConversionId,
  type DepositId,
  environmentOf,
  type QuoteId,
  type WithdrawalId,
} from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import { type AnyAnswer, answerOf, silentAnswer } from './answers.ts'
import { askOf } from './asks.ts'
import type { ConnectedProvider, Providers } from './connected.ts'
import { wrongEcho } from './echo.ts'
import { type Gate, openGate, type Pass } from './gate.ts'
import type { ProviderAsk, ProviderOutcome, Repeat } from './port.ts'
import { carryOut, inquireOnly, type NotFoundTimes } from './repeat.ts'

/** Carries calls to providers and banks, and brings each answer back as a command like any other. */
export type ProviderDriver = {
  /** Makes a call. Its intent must be on disk already. */
  readonly drive: (request: ProviderCallRequest, traceparent?: Traceparent) => void
  readonly inFlight: () => number
  /** Whether answers have come that are not handed to their shards yet. */
  readonly hasPendingAnswers: () => boolean
  /** After how many seconds something new may be begun with an account's provider; null when that is now. */
  readonly unreachableSeconds: (
    accountId: AccountId,
    rail: Rail,
    /** Null for the provider that is there for all accounts. */
    connectionId: string | null,
  ) => number | null
}

export type ProviderDriverOptions = {
  /** Those for all accounts of an environment. */
  readonly providers: Providers
  /** The open connection with this id; null where it cannot be opened, or not yet. Absent where there are none. */
  readonly byConnection?: (connectionId: string) => ConnectedProvider | null
  /** The request as a provider receives it, with what is sealed at rest opened. May throw. */
  readonly revealed: (request: ProviderCallRequest) => ProviderCallRequest
  readonly execute: (command: AnswerCommand) => Promise<unknown>
  /** Calls back in a later turn of the event loop. */
  readonly later: (callback: () => void) => void
  /** A monotonic clock in milliseconds. */
  readonly stopwatch: () => number
  /** How long answers may be recorded in one turn: a burst of them must not hold up requests. */
  readonly sliceMs: number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  /** After this much silence a provider counts as `SILENT` (decisions, section 9). */
  readonly answerTimeoutMs: number
  /** The same for repeats, which no request waits for. */
  readonly repeatTimeoutMs: number
  /** Pause between attempts to record an answer while the shard is not writable. */
  readonly retryMs: number
  readonly onFault: (error: unknown, request: ProviderCallRequest) => void
  /** Called with what a person has to look at. */
  readonly onAlert?: (alert: ProviderAlert) => void
  /** Called when a call starts; the returned function is called with its answer. */
  readonly watch?: (
    request: ProviderCallRequest,
    traceparent: Traceparent | undefined,
  ) => (answer: AnyAnswer) => void
}

/** What needs a person. */
export type ProviderAlert = {
  readonly connectionId: string
  readonly kind: /** The provider says that it did something else than it was asked: nothing of it is shown. */
    | 'WRONG_ECHO'
    /** A call has been open for an hour. */
    | 'STUCK'
    /** The provider went silent, or answers once more. */
    | 'BREAKER_OPENED'
    /** A charge is registered, with a code that no payer’s app can read: it is not shown. */
    | 'UNREADABLE_CODE'
    | 'BREAKER_CLOSED'
  readonly callId: string | null
  readonly detail: string | null
}

/** A call without an answer yet. */
type Call = {
  readonly request: ProviderCallRequest
  readonly traceparent: Traceparent | undefined
  readonly onAnswer: ((answer: AnyAnswer) => void) | undefined
  readonly withinMs: number
  isAnswered: boolean
  /** Its place at the gate; null where there is none, or none is needed. */
  pass: Pass | null
  /** Cancels its timeout. */
  cancel: (() => void) | null
  /** What its timeout does, where it is more than to count as silence. */
  onTimeout: (() => void) | null
}

/** The way to one connection. */
type Lane = {
  /** Another one once the connection has changed: what is known about it stays. */
  connected: ConnectedProvider
  /** Null where asking costs nothing and cannot hang. */
  readonly gate: Gate | null
  readonly notFound: NotFoundTimes
  /** Calls that this process was to send for the first time and did not, with how often they had been asked: they are not repeats. */
  readonly unsent: Map<string, number>
  /** What the provider was silent about last, for probes. */
  lastSilent: ProviderAsk | null
}

type DriverState = ProviderDriverOptions & {
  inFlight: number
  /** Calls made in this turn. */
  made: Call[]
  /** Answers that have come, in their order. */
  readonly pendingAnswers: { readonly call: Call; readonly answer: AnyAnswer }[]
  isTurnEnding: boolean
  /** By connection, or by provider where that is there for all accounts. */
  readonly lanes: Map<ConnectedProvider | string, Lane>
}

/** Opens the driver of one worker. */
export const openProviderDriver = (options: ProviderDriverOptions): ProviderDriver => {
  const driver: DriverState = {
    ...options,
    inFlight: 0,
    made: [],
    pendingAnswers: [],
    isTurnEnding: false,
    lanes: new Map(),
  }
  return {
    drive: (request, traceparent) => drive(driver, request, traceparent),
    inFlight: () => driver.inFlight,
    hasPendingAnswers: () => driver.pendingAnswers.length > 0,
    unreachableSeconds: (accountId, rail, connectionId) => {
      const connected = connectedTo(driver, accountId, rail, connectionId)
      // A connection that is not open answers nothing.
      if (connected === null) return connectionId === null ? null : unopenedSeconds
      const closedForMs = laneOf(driver, connected).gate?.closedForMs()
      return closedForMs == null ? null : Math.ceil(closedForMs / 1000)
    },
  }
}

/** After how many seconds something may be tried anew by a connection that could not be opened. */
const unopenedSeconds = 30

const drive = (
  driver: DriverState,
  request: ProviderCallRequest,
  traceparent: Traceparent | undefined,
): void => {
  driver.inFlight += 1
  const onAnswer = driver.watch?.(request, traceparent)
  const isRepeat = request.asked > 0 || request.isResumed === true
  const withinMs = isRepeat ? driver.repeatTimeoutMs : driver.answerTimeoutMs
  const call: Call = {
    request,
    traceparent,
    onAnswer,
    withinMs,
    isAnswered: false,
    pass: null,
    cancel: null,
    onTimeout: null,
  }
  driver.made.push(call)
  endTurn(driver)
  try {
    begin(driver, call)
  } catch (error) {
    fail(driver, call, error)
  }
}

/**
 * An exception says nothing about what the provider did, so it counts as silence. So does a provider that is no
 * longer connected: the call stays open until it is, and each try is reported as a fault.
 */
const fail = (driver: DriverState, call: Call, error: unknown): void => {
  driver.onFault(error, call.request)
  take(driver, call, silentAnswer)
}

/** Sends a call by its connection, when its turn there has come. */
const begin = (driver: DriverState, call: Call): void => {
  const { request } = call
  const lane = laneOf(driver, connectedFor(driver, request))
  const { connectionId, module } = lane.connected
  const ask = askOf(driver.revealed(request), connectionId, call.withinMs)
  const mayHaveArrived = takeDoubt(lane, ask, request.isResumed === true)
  const repeat = module.repeat[ask.operation]
  if (repeat === undefined) {
    // What is not offered is refused before it is stored, so this was stored by a release whose adapter had it.
    if (mayHaveArrived) throw new Error(`${module.name} has no ${ask.operation}: the call stays open`)
    take(driver, call, answerOf(request, notOffered))
    return
  }
  if (lane.gate === null) {
    send(driver, lane, call, ask, repeat, mayHaveArrived)
    return
  }
  const putOff = (): void => {
    if (!mayHaveArrived) rememberUnsent(lane, ask)
    take(driver, call, answerOf(request, undecided))
  }
  const pass = lane.gate.enter(ask.operation, driver.stopwatch() + call.withinMs, {
    send: () => send(driver, lane, call, ask, repeat, mayHaveArrived),
    turnAway: putOff,
  })
  if (pass === null) {
    putOff()
    return
  }
  call.pass = pass
  call.onTimeout = () => {
    const isSent = pass.isSent()
    if (isSent) lane.lastSilent = ask
    pass.end(isSent)
    if (isSent) take(driver, call, silentAnswer)
    else putOff()
  }
}

/**
 * Whether the provider may know this ask already. It cannot, where this process was the first that was to send it, and did not; a shard
 * that was opened since may have been another node's meanwhile, which counts its own.
 */
const takeDoubt = ({ unsent }: Lane, { callId, asked }: ProviderAsk, isResumed: boolean): boolean => {
  const before = unsent.get(callId)
  unsent.delete(callId)
  return isResumed || (asked > 0 && before !== asked - 1)
}

const rememberUnsent = ({ unsent }: Lane, { callId, asked }: ProviderAsk): void => {
  // What is forgotten is inquired after: that takes longer, and is as sure.
  if (unsent.size >= unsentMax) unsent.delete(unsent.keys().next().value!)
  unsent.set(callId, asked)
}

const unsentMax = 10_000

const send = (
  driver: DriverState,
  lane: Lane,
  call: Call,
  ask: ProviderAsk,
  repeat: Repeat,
  mayHaveArrived: boolean,
): void => {
  const { instance } = newestOf(driver, lane)
  const fault = (error: unknown): void => {
    call.pass?.end(true)
    fail(driver, call, error)
  }
  try {
    const { notFound } = lane
    const { request } = call
    const carried =
      'onlyInquires' in request
        ? inquireOnly(instance, ask, mayHaveArrived, notFound, driver.stopwatch)
        : carryOut(instance, repeat, ask, mayHaveArrived, notFound, driver.stopwatch)
    carried.then((outcome) => settle(driver, lane, call, ask, outcome)).catch(fault)
  } catch (error) {
    // Its place at the gate is known to the call in the next turn.
    queueMicrotask(() => fault(error))
  }
}

/** Takes the outcome of an ask. One that comes when it is waited for no longer says nothing: it is asked for again. */
const settle = (
  driver: DriverState,
  lane: Lane,
  call: Call,
  ask: ProviderAsk,
  outcome: ProviderOutcome,
): void => {
  if (call.isAnswered) return
  const checked = checkedEcho(driver, lane, ask, outcome)
  const answer = answerOf(call.request, checked)
  // What was not asked says nothing of whether the provider answers.
  const isSilent = outcome.type === 'SILENT' && outcome.isUnasked !== true
  if (isSilent) lane.lastSilent = ask
  call.pass?.end(isSilent)
  if (lane.gate !== null && isUndecided(checked) && ask.nowMs - ask.openedAtMs >= stuckAfterMs)
    alert(driver, lane, 'STUCK', ask.callId, `${ask.operation} has been open for an hour`)
  take(driver, call, answer)
}

/** An alert is raised for a call that is open for so long (rails, section 1.4). */
const stuckAfterMs = 3_600_000

const isUndecided = ({ type }: ProviderOutcome): boolean => type === 'PENDING' || type === 'SILENT'

/** What a provider did otherwise than it was asked is not believed, and a person looks at it. */
const checkedEcho = (
  driver: DriverState,
  lane: Lane,
  ask: ProviderAsk,
  outcome: ProviderOutcome,
): ProviderOutcome => {
  switch (outcome.type) {
    case 'DONE': {
      const wrong = wrongEcho(ask, outcome.echo)
      if (wrong === null) return outcome
      alert(driver, lane, 'WRONG_ECHO', ask.callId, `${ask.operation} was answered with another ${wrong}`)
      return undecided
    }
    // Less than the amount does not do: no ask says that it would.
    case 'PARTIAL':
      alert(driver, lane, 'WRONG_ECHO', ask.callId, `${ask.operation} was done in part`)
      return undecided
    case 'PENDING':
      return { ...outcome, againInMs: outcome.againInMs && bounded(outcome.againInMs) }
    default:
      return outcome
  }
}

/** A provider that asks for patience gets it, up to a day. */
const bounded = (ms: number): number => Math.min(Math.max(ms, 1_000), 86_400_000)

const undecided: ProviderOutcome = { type: 'PENDING', againInMs: null, evidence: null }

const notOffered: ProviderOutcome = {
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message: 'the provider does not offer this',
    network: null,
    provider: null,
    retryOn: 'OTHER',
    stepUp: false,
    attempt: null,
  },
}

const alert = (
  driver: DriverState,
  { connected: { connectionId } }: Pick<Lane, 'connected'>,
  kind: ProviderAlert['kind'],
  callId: string | null,
  detail: string | null,
): void => driver.onAlert?.({ connectionId, kind, callId, detail })

const laneOf = (driver: DriverState, connected: ConnectedProvider): Lane => {
  const place = connected.accountId === undefined ? connected : connected.connectionId
  let lane = driver.lanes.get(place)
  if (lane === undefined) {
    lane = newLane(driver, connected)
    driver.lanes.set(place, lane)
  }
  lane.connected = connected
  return lane
}

/** The connection as it is by now: it may have been opened anew while an ask waited at the gate, or while nothing was asked. */
const newestOf = (driver: DriverState, lane: Lane): ConnectedProvider => {
  const { connectionId, accountId } = lane.connected
  if (accountId !== undefined) lane.connected = driver.byConnection?.(connectionId) ?? lane.connected
  return lane.connected
}

const newLane = (driver: DriverState, connected: ConnectedProvider): Lane => {
  const { limits } = connected.module
  const lane: Lane = {
    connected,
    gate:
      limits &&
      openGate({
        limits,
        stopwatch: driver.stopwatch,
        timeout: driver.timeout,
        probe: () => probe(driver, lane),
        onBreaker: (isOpen) => alert(driver, lane, isOpen ? 'BREAKER_OPENED' : 'BREAKER_CLOSED', null, null),
      }),
    notFound: new Map(),
    unsent: new Map(),
    lastSilent: null,
  }
  return lane
}

/** Inquires after what the provider was silent about last: any outcome says that it answers. */
const probe = async (driver: DriverState, lane: Lane): Promise<boolean> => {
  const { lastSilent } = lane
  if (lastSilent === null) return true
  const { instance } = newestOf(driver, lane)
  const inquired = instance.inquire(lastSilent).then(
    // Where there is nothing to inquire by, a harmless read says as much.
    (found) =>
      found.type !== 'SILENT' || (found.isUnasked === true && instance.health().then(({ works }) => works)),
    () => false,
  )
  let cancel: () => void = () => undefined
  const late = new Promise<boolean>((resolve) => {
    cancel = driver.timeout(driver.answerTimeoutMs, () => resolve(false))
  })
  const answers = await Promise.race([inquired, late])
  cancel()
  return answers
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
  call.cancel = driver.timeout(call.withinMs, call.onTimeout ?? (() => take(driver, call, silentAnswer)))
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
 * Retries until the answer is in the journal. A shard that recovers meanwhile makes the call again, and a repeated answer is
 * harmless.
 */
const record = (driver: DriverState, request: ProviderCallRequest, command: AnswerCommand): void =>
  passOn(driver.execute(command), {
    resolve: (reply) => {
      driver.inFlight -= 1
      if (isUnreadableCode(command, reply)) reportCode(driver, request)
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

/** Whether the bank has registered a charge, and its code counts as no answer. */
const isUnreadableCode = (command: AnswerCommand, reply: unknown): boolean =>
  command.type === 'RecordAnswer' &&
  command.answer.type === 'REGISTERED' &&
  (reply as Partial<Extract<Reply, { readonly accepted: true }>> | undefined)?.steps?.some(
    ({ event }) => event.type === 'ProviderSilent',
  ) === true

const reportCode = ({ onAlert }: DriverState, request: ProviderCallRequest): void => {
  const connectionId = 'connectionId' in request ? request.connectionId : null
  if (connectionId === null) return
  const detail = 'the code of a charge cannot be read, or is of something else'
  onAlert?.({ kind: 'UNREADABLE_CODE', connectionId, callId: request.reference, detail })
}

/** Records what a provider answered. */
export type AnswerCommand =
  | RecordMandateAnswer
  | RecordAnswer
  | RecordPayout
  | RecordMoneyOut
  | RecordKeyOwner
  | RecordChainAnswer
  | RecordSuspenseReturn

/** The provider that processes the charge. One that was connected since would send back money that it never had. */
const connectedFor = (driver: DriverState, request: ProviderCallRequest): ConnectedProvider => {
  const { accountId, rail } = request
  const connectionId = 'connectionId' in request ? request.connectionId : null
  const connected = connectedTo(driver, accountId, rail, connectionId)
  const chosen = 'providerId' in request ? request.providerId : null
  const wanted = chosen ?? connected?.module.name ?? null
  if (connected === null || connected.module.name !== wanted)
    throw new Error(
      `${connectionId ?? wanted ?? 'a provider'} is not connected for ${rail} in ${environmentOf(accountId)}: the call stays open`,
    )
  return connected
}

/** Null where there is none for this account: a connection serves the one whose it is, and the Sandbox's serve no other environment. */
const connectedTo = (
  { providers, byConnection }: Pick<DriverState, 'providers' | 'byConnection'>,
  accountId: AccountId,
  rail: Rail,
  connectionId: string | null,
): ConnectedProvider | null => {
  if (connectionId === null) return providers[environmentOf(accountId)][rail] ?? null
  const connected = byConnection?.(connectionId) ?? null
  return connected?.accountId === accountId && connected.module.rails.includes(rail) ? connected : null
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
        answer: answer as TransferAnswer,
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
    case 'MANDATE_CREATE':
    case 'MANDATE_CANCEL':
    case 'SCHEDULE':
    case 'RESCHEDULE':
    case 'UNSCHEDULE': {
      const { mandateId } = request
      return { type: 'RecordMandateAnswer', mandateId, answer: answer as MandateAnswer, ...common }
    }
    case 'RETURN_SUSPENSE': {
      const { suspenseId } = request
      return { type: 'RecordSuspenseReturn', suspenseId, answer: answer as ProviderAnswer, ...common }
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
  answer.type === 'FOUND' || answer.type === 'NOT_FOUND' ? answer : silentAnswer
